//! The harnesses at work: crashes, failing disks.

mod crash;
mod io_faults;
