//! Signatures: requests signed by AWS's own signer are accepted, and those changed afterwards are
//! not.

mod agreement;
mod sent;
mod tampering;
mod tampering_presigned;
