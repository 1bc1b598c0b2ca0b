// The core key patterns of the document, one function each.

const key = (pk: string, sk: string) => ({ pk, sk });

export const league = (id: string) => key(`LEAGUE#${id}`, 'METADATA');
export const season = (league: string, id: string) => key(`LEAGUE#${league}`, `SEASON#${id}`);
export const seasonLookup = (id: string) => key(`SEASON#${id}`, 'METADATA');
export const team = (season: string, id: string) => key(`SEASON#${season}`, `TEAM#${id}`);
export const session = (season: string, id: string) => key(`SEASON#${season}`, `SESSION#${id}`);
export const sessionLookup = (id: string) => key(`SESSION#${id}`, 'METADATA');
export const game = (id: string) => key(`GAME#${id}`, 'METADATA');
export const goal = (game: string, third: number, minute: number, event: string) =>
  key(`GAME#${game}`, `GOAL#${third}#${String(minute).padStart(3, '0')}#${event}`);
export const roster = (game: string, team: string, player: string) =>
  key(`GAME#${game}`, `ROSTER#${team}#${player}`);
export const gameOfSession = (session: string, start: string, game: string) =>
  key(`SESSION#${session}`, `GAME#${start}#${game}`);
export const grant = (league: string, user: string) => key(`LEAGUE#${league}`, `ACL#USER#${user}`);
export const player = (id: string) => key(`PLAYER#${id}`, 'PROFILE');
