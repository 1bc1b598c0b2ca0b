//! DynamoDB's protocol.
