#[allow(clippy::unused_async)]
/// Deploys.
async fn deploy(env: String) -> String {
    env
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
struct deploy {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    #[automatically_derived]
    impl ::mcp_tasks::__private::Tool for deploy {
        const SPEC: &'static ::mcp_tasks::__private::ToolSpec = &::mcp_tasks::__private::ToolSpec::new(
                "deploy",
                "Deploys.",
                &[::mcp_tasks::__private::ParamSpec::new("env")],
                ::core::file!(),
                ::core::line!(),
            )
            .keep(::core::time::Duration::from_millis(600000u64))
            .begin_manual()
            .task_required()
            .timeout(LIMIT)
            .needs_elicitation();
        fn describe(d: &mut ::mcp_tasks::__private::Describe) {
            <String as ::mcp_tasks::__private::Param<
                _,
            >>::describe(&Self::SPEC.params()[0], d);
            <String as ::mcp_tasks::__private::Returned>::describe(d);
        }
        fn start(
            call: &::mcp_tasks::__private::Call<'_>,
        ) -> ::core::result::Result<
            ::mcp_tasks::__private::BoxFuture<'static, ::mcp_tasks::__private::Output>,
            ::mcp_tasks::__private::Faults,
        > {
            let mut faults = ::mcp_tasks::__private::Call::faults(call, Self::SPEC);
            let (::core::option::Option::Some(a0),) = (
                <String as ::mcp_tasks::__private::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[0],
                    call,
                    &mut faults,
                    ::core::option::Option::None,
                ),
            ) else {
                return ::core::result::Result::Err(faults);
            };
            ::mcp_tasks::__private::Faults::none(faults)?;
            ::core::result::Result::Ok(
                ::mcp_tasks::__private::run(
                    deploy(a0),
                    <String as ::mcp_tasks::__private::Returned>::into_output,
                ),
            )
        }
    }
};
