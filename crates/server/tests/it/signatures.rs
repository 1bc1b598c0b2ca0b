//! Who may come in, asked over HTTP with requests that AWS's own signer signed.

mod permissions;
mod signed;
mod tampering;
