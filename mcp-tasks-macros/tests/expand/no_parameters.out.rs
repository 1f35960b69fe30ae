#[allow(clippy::unused_async)]
/// Answers.
#[cfg(feature = "ping")]
async fn ping() {}
#[cfg(feature = "ping")]
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
struct ping {}
#[cfg(feature = "ping")]
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    #[automatically_derived]
    impl ::mcp_tasks::__private::Tool for ping {
        const SPEC: &'static ::mcp_tasks::__private::ToolSpec = &::mcp_tasks::__private::ToolSpec::new(
            "ping",
            "Answers.",
            &[],
            ::core::file!(),
            ::core::line!(),
        );
        fn describe(d: &mut ::mcp_tasks::__private::Describe) {
            <() as ::mcp_tasks::__private::Returned>::describe(d);
        }
        fn start(
            call: &::mcp_tasks::__private::Call<'_>,
        ) -> ::core::result::Result<
            ::mcp_tasks::__private::BoxFuture<'static, ::mcp_tasks::__private::Output>,
            ::mcp_tasks::__private::Faults,
        > {
            let faults = ::mcp_tasks::__private::Call::faults(call, Self::SPEC);
            ::mcp_tasks::__private::Faults::none(faults)?;
            ::core::result::Result::Ok(
                ::mcp_tasks::__private::run(
                    ping(),
                    <() as ::mcp_tasks::__private::Returned>::into_output,
                ),
            )
        }
    }
};
