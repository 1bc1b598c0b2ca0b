//! HTTP/1.1, as far as the server needs it: requests with a body of known length or in chunks,
//! keep-alive, and whole responses. `httparse` parses the heads.

mod body;
mod head;
mod response;

pub(crate) use body::{Body, Chunks};
pub(crate) use head::{BodyLength, Head, HeadError, RequestLine, find_head_end};
pub(crate) use response::{Response, ResponseHead};
