//! The entity examples of the seed document, as they are printed there.

/// The user of the examples.
pub(crate) const USER_ID: &str = "12345678-1234-1234-1234-123456789012";
/// The team of the examples.
pub(crate) const TEAM_ID: &str = "a6f27724-7042-4816-94d3-a2183ef50a09";
/// The player of the examples.
pub(crate) const PLAYER_ID: &str = "b7e38835-8153-5927-a5e4-b3294fg61b1a";
/// The game of the examples.
pub(crate) const GAME_ID: &str = "c8d39946-9264-6038-c6f5-d4405gh72c2b";

/// All of them.
pub(crate) const ALL: [&str; 5] = [USER, TEAM, MEMBERSHIP, PLAYER, GAME];

/// "User Profile".
pub(crate) const USER: &str = r#"{
  "PK": "USER#12345678-1234-1234-1234-123456789012",
  "SK": "METADATA",
  "userId": "12345678-1234-1234-1234-123456789012",
  "email": "john.doe@example.com",
  "firstName": "John",
  "lastName": "Doe",
  "phoneNumber": "+15555551234",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI1PK": "COGNITO#12345678-1234-1234-1234-123456789012",
  "GSI1SK": "USER",
  "GSI2PK": "ENTITY#USER",
  "GSI2SK": "METADATA#12345678-1234-1234-1234-123456789012"
}"#;

/// "Team Profile".
pub(crate) const TEAM: &str = r#"{
  "PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "SK": "METADATA",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "name": "Seattle Sluggers",
  "description": "Best team in Seattle",
  "ownerId": "12345678-1234-1234-1234-123456789012",
  "team_type": "MANAGED",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI2PK": "ENTITY#TEAM",
  "GSI2SK": "METADATA#a6f27724-7042-4816-94d3-a2183ef50a09"
}"#;

/// "Team Membership".
pub(crate) const MEMBERSHIP: &str = r#"{
  "PK": "USER#12345678-1234-1234-1234-123456789012",
  "SK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "userId": "12345678-1234-1234-1234-123456789012",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "role": "owner",
  "status": "active",
  "joinedAt": "2025-10-25T12:00:00.000Z",
  "invitedBy": null
}"#;

/// "Player (Roster Record)".
pub(crate) const PLAYER: &str = r#"{
  "PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "SK": "PLAYER#b7e38835-8153-5927-a5e4-b3294fg61b1a",
  "playerId": "b7e38835-8153-5927-a5e4-b3294fg61b1a",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "firstName": "John",
  "lastName": "Doe",
  "playerNumber": 12,
  "positions": ["SS", "2B"],
  "status": "active",
  "isGhost": false,
  "userId": "12345678-1234-1234-1234-123456789012",
  "linkedAt": "2025-10-25T12:00:00.000Z",
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z"
}"#;

/// "Game".
pub(crate) const GAME: &str = r#"{
  "PK": "GAME#c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "SK": "METADATA",
  "gameId": "c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "teamId": "a6f27724-7042-4816-94d3-a2183ef50a09",
  "status": "SCHEDULED",
  "scheduledStart": "2025-11-01T19:30:00.000Z",
  "opponentName": "Portland Pioneers",
  "location": "Lincoln Park Field 3",
  "teamScore": 0,
  "opponentScore": 0,
  "lineup": [],
  "createdAt": "2025-10-25T12:00:00.000Z",
  "updatedAt": "2025-10-25T12:00:00.000Z",
  "GSI2PK": "ENTITY#GAME",
  "GSI2SK": "METADATA#c8d39946-9264-6038-c6f5-d4405gh72c2b",
  "GSI3PK": "TEAM#a6f27724-7042-4816-94d3-a2183ef50a09",
  "GSI3SK": "GAME#c8d39946-9264-6038-c6f5-d4405gh72c2b"
}"#;
