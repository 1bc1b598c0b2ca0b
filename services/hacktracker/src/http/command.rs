//! A route whose command is tried again when somebody else was faster.

macro_rules! command {
    ($method:ident $path:literal, $operation:literal, $command:path) => {
        monotable_kit::Route::new(
            http::Method::$method,
            $path,
            $operation,
            |app: std::sync::Arc<crate::app::App>, call: monotable_kit::Request| async move {
                monotable_kit::repeat(|| $command(&app, &call)).await
            },
        )
    };
}

pub(super) use command;
