//! A route whose command is tried again when somebody else was faster.

/// The optional first function counts the call, once however often the command is tried; a call without
/// effect is uncounted.
macro_rules! command {
    ($method:ident $path:literal, $operation:literal, $command:path) => {
        command!(@route $method $path, $operation, [], $command)
    };
    ($method:ident $path:literal, $operation:literal, $count:path, $command:path) => {
        command!(@route $method $path, $operation, [$count], $command)
    };
    (@counted [], $app:ident, $call:ident, $command:ident) => {
        monotable_kit::repeat($command).await
    };
    (@counted [$count:path], $app:ident, $call:ident, $command:ident) => {{
        let counted = $count(&$app, &$call).await?;
        counted.settle(&$app, monotable_kit::repeat($command).await).await
    }};
    (@route $method:ident $path:literal, $operation:literal, [$($count:path)?], $command:path) => {
        monotable_kit::Route::new(
            http::Method::$method,
            $path,
            $operation,
            |app: std::sync::Arc<crate::app::App>, call: monotable_kit::Request| async move {
                let command = || async {
                    let _turn = app.queues.turn(&http::Method::$method, &call).await;
                    $command(&app, &call).await
                };
                command!(@counted [$($count)?], app, call, command)
            },
        )
    };
}

pub(super) use command;
