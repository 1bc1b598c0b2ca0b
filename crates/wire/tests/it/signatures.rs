//! Signatures: AWS's own signer is believed, and whoever changes anything afterwards is not.

mod agreement;
mod sent;
mod tampering;
mod tampering_presigned;
