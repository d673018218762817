//! One file per service: request in, response out.
