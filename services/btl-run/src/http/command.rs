//! A route whose command is tried again when somebody else was faster.

/// The optional second function counts the call, which happens once, however often the command is tried.
macro_rules! command {
    ($method:ident $path:literal, $operation:literal, $command:path) => {
        command!(@route $method $path, $operation, [], $command)
    };
    ($method:ident $path:literal, $operation:literal, $count:path, $command:path) => {
        command!(@route $method $path, $operation, [$count], $command)
    };
    (@route $method:ident $path:literal, $operation:literal, [$($count:path)?], $command:path) => {
        monotable_kit::Route::new(
            http::Method::$method,
            $path,
            $operation,
            |app: std::sync::Arc<crate::app::App>, call: monotable_kit::Call| async move {
                $($count(&app, &call).await?;)?
                monotable_kit::repeat(|| async {
                    let _turn = app.queues.turn(&http::Method::$method, &call).await;
                    $command(&app, &call).await
                })
                .await
            },
        )
    };
}

pub(super) use command;
