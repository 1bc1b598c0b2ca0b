//! Who may do what, route by route.
//!
//! A row is a route, the status of the requested game, and the result for each actor on the own
//! team: no token, a token of a foreign issuer, an expired one; a stranger, a removed member;
//! player, scorekeeper, manager, owner; an administrator of the platform without a team.
//!
//! `.` is done (2xx), `u` 401, `-` 404, `n` 403 NOT_A_MEMBER, `r` 403 INSUFFICIENT_ROLE,
//! `s` 403 NOT_SELF, `c` 409. The user of a path is pat, the player.

pub(super) const TABLE: &str = "
GET    /users/context                           -           uuu .. .... .
GET    /users                                   -           uuu rr rrrr .
GET    /users/{userId}                          -           uuu -- .... .
PUT    /users/{userId}                          -           uuu ss .sss s
DELETE /users/{userId}                          -           uuu ss .sss s
GET    /users/{userId}/export                   -           uuu ss .sss s
GET    /users/{userId}/career                   -           uuu ss .sss s

POST   /teams                                   -           uuu .. .... .
GET    /teams                                   -           uuu .. .... .
GET    /teams/{teamId}                          -           uuu -n .... -
PUT    /teams/{teamId}                          -           uuu -n rr.. -
DELETE /teams/{teamId}                          -           uuu -n rrr. -
POST   /teams/{teamId}/restore                  -           uuu -- ---. -
POST   /teams/{teamId}/transfer                 -           uuu -n rrr. -
GET    /teams/{teamId}/members                  -           uuu -n .... -
PUT    /teams/{teamId}/members/{userId}         -           uuu -n rrr. -
DELETE /teams/{teamId}/members/{userId}         -           uuu -n .r.. -
POST   /teams/{teamId}/seasons                  -           uuu -n rr.. -
GET    /teams/{teamId}/seasons                  -           uuu -n .... -
GET    /teams/{teamId}/audit                    -           uuu -n rr.. -

POST   /teams/{teamId}/players                  -           uuu -n rr.. -
POST   /teams/{teamId}/players/bulk             -           uuu -n rr.. -
GET    /teams/{teamId}/players                  -           uuu -n .... -
GET    /teams/{teamId}/players/{playerId}       -           uuu -n .... -
PUT    /teams/{teamId}/players/{playerId}       -           uuu -n rr.. -
DELETE /teams/{teamId}/players/{playerId}       -           uuu -n rr.. -
POST   /teams/{teamId}/players/{playerId}/link  -           uuu -n rr.. -
DELETE /teams/{teamId}/players/{playerId}/link  -           uuu -n rr.. -

POST   /teams/{teamId}/invites                  -           uuu -n rr.. -
GET    /teams/{teamId}/invites                  -           uuu -n rr.. -
DELETE /teams/{teamId}/invites/{inviteId}       -           uuu -n rr.. -
POST   /invites/accept                          -           uuu .. cccc .

POST   /games                                   -           uuu -n r... -
GET    /games                                   -           uuu rr rrrr .
GET    /teams/{teamId}/games                    -           uuu -n .... -
GET    /games/{gameId}                          -           uuu -n .... -
PUT    /games/{gameId}                          SCHEDULED   uuu -n r... -
PUT    /games/{gameId}                          IN_PROGRESS uuu -n r... -
PUT    /games/{gameId}                          FINAL       uuu -n rr.. -
DELETE /games/{gameId}                          SCHEDULED   uuu -n r... -
DELETE /games/{gameId}                          POSTPONED   uuu -n r... -
DELETE /games/{gameId}                          FINAL       uuu -n rr.. -
DELETE /games/{gameId}                          IN_PROGRESS uuu -n rccc -
POST   /games/{gameId}/start                    SCHEDULED   uuu -n r... -
POST   /games/{gameId}/start                    POSTPONED   uuu -n r... -
POST   /games/{gameId}/finish                   IN_PROGRESS uuu -n r... -
POST   /games/{gameId}/suspend                  IN_PROGRESS uuu -n r... -
POST   /games/{gameId}/reschedule               POSTPONED   uuu -n r... -
POST   /games/{gameId}/reopen                   FINAL       uuu -n rr.. -
PUT    /games/{gameId}/rsvp/{playerId}          -           uuu -n rr.. -
GET    /games/{gameId}/rsvp                     -           uuu -n .... -
GET    /games/{gameId}/lineup-proposal          -           uuu -n .... -

POST   /games/{gameId}/atbats                   IN_PROGRESS uuu -n r... -
POST   /games/{gameId}/atbats                   FINAL       uuu -n rccc -
GET    /games/{gameId}/atbats                   -           uuu -n .... -
GET    /games/{gameId}/atbats/{atBatId}         -           uuu -n .... -
PUT    /games/{gameId}/atbats/{atBatId}         IN_PROGRESS uuu -n r... -
PUT    /games/{gameId}/atbats/{atBatId}         FINAL       uuu -n rr.. -
DELETE /games/{gameId}/atbats/{atBatId}         IN_PROGRESS uuu -n r... -
DELETE /games/{gameId}/atbats/{atBatId}         FINAL       uuu -n rr.. -
POST   /games/{gameId}/atbats/undo              IN_PROGRESS uuu -n r... -
POST   /games/{gameId}/atbats/undo              FINAL       uuu -n rccc -
POST   /games/{gameId}/innings/end              IN_PROGRESS uuu -n r... -
POST   /games/{gameId}/innings/end              FINAL       uuu -n rccc -

GET    /games/{gameId}/live                     -           uuu -n .... -
GET    /games/{gameId}/events                   -           uuu -n .... -
GET    /games/{gameId}/boxscore                 -           uuu -n .... -
GET    /teams/{teamId}/stats                    -           uuu -n .... -
GET    /teams/{teamId}/record                   -           uuu -n .... -
GET    /teams/{teamId}/leaders                  -           uuu -n .... -
GET    /players/{teamId}/{playerId}/stats       -           uuu -n .... -
GET    /players/{teamId}/{playerId}/spray       -           uuu -n .... -

POST   /games/{gameId}/shares                   -           uuu -n r... -
GET    /games/{gameId}/shares                   -           uuu -n r... -
DELETE /games/{gameId}/shares/{shareId}         -           uuu -n r... -
GET    /share/{token}                           -           ... .. .... .
GET    /share/{token}/plays                     -           ... .. .... .
GET    /share/{token}/events                    -           ... .. .... .
GET    /my-games                                -           uuu .. .... .
GET    /live/{token}                            -           ... .. .... .
GET    /score/{gameId}                          IN_PROGRESS uuu -n r... -
GET    /score/{gameId}                          FINAL       uuu -n rccc -
";
