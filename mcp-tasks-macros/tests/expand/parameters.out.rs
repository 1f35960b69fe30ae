#[allow(clippy::unused_async)]
/// Searches the archive.
///
/// Newest first.
pub async fn search(
    query: String,
    limit: u32,
    tags: Vec<String>,
    ctx: Context,
    State(db): State<Db>,
) -> Result<Json<Hits>, ToolError> {
    db.search(ctx, query, limit, tags).await
}
#[doc(hidden)]
#[allow(
    missing_copy_implementations,
    missing_debug_implementations,
    non_camel_case_types,
    unreachable_pub
)]
pub struct search {}
#[allow(deprecated, clippy::all, clippy::pedantic)]
const _: () = {
    #[automatically_derived]
    impl ::mcp_tasks::__private::Tool for search {
        const SPEC: &'static ::mcp_tasks::__private::ToolSpec = &::mcp_tasks::__private::ToolSpec::new(
                "search",
                "Searches the archive.\n\nNewest first.",
                &[
                    ::mcp_tasks::__private::ParamSpec::new("query")
                        .description("What to look for")
                        .min_len(1),
                    ::mcp_tasks::__private::ParamSpec::new("limit")
                        .has_default()
                        .default_json("10")
                        .max(::mcp_tasks::__private::Number::Int(50i128)),
                    ::mcp_tasks::__private::ParamSpec::new("tag").has_default(),
                    ::mcp_tasks::__private::ParamSpec::new("ctx"),
                ],
                ::core::file!(),
                ::core::line!(),
            )
            .title("Search")
            .read_only(true)
            .max_running(4);
        fn describe(d: &mut ::mcp_tasks::__private::Describe) {
            <String as ::mcp_tasks::__private::Param<
                _,
            >>::describe(&Self::SPEC.params()[0], d);
            <u32 as ::mcp_tasks::__private::Param<
                _,
            >>::describe(&Self::SPEC.params()[1], d);
            <Vec<
                String,
            > as ::mcp_tasks::__private::Param<_>>::describe(&Self::SPEC.params()[2], d);
            <Context as ::mcp_tasks::__private::Param<
                _,
            >>::describe(&Self::SPEC.params()[3], d);
            <State<Db> as ::mcp_tasks::__private::Unnamed<_>>::describe(d);
            <Result<
                Json<Hits>,
                ToolError,
            > as ::mcp_tasks::__private::Returned>::describe(d);
        }
        fn start(
            call: &::mcp_tasks::__private::Call<'_>,
        ) -> ::core::result::Result<
            ::mcp_tasks::__private::BoxFuture<'static, ::mcp_tasks::__private::Output>,
            ::mcp_tasks::__private::Faults,
        > {
            let mut faults = ::mcp_tasks::__private::Call::faults(call, Self::SPEC);
            let (
                ::core::option::Option::Some(a0),
                ::core::option::Option::Some(a1),
                ::core::option::Option::Some(a2),
                ::core::option::Option::Some(a3),
                ::core::option::Option::Some(a4),
            ) = (
                <String as ::mcp_tasks::__private::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[0],
                    call,
                    &mut faults,
                    ::core::option::Option::None,
                ),
                <u32 as ::mcp_tasks::__private::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[1],
                    call,
                    &mut faults,
                    ::core::option::Option::Some(|| 10),
                ),
                <Vec<
                    String,
                > as ::mcp_tasks::__private::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[2],
                    call,
                    &mut faults,
                    ::core::option::Option::Some(::core::default::Default::default),
                ),
                <Context as ::mcp_tasks::__private::Param<
                    _,
                >>::take(
                    &Self::SPEC.params()[3],
                    call,
                    &mut faults,
                    ::core::option::Option::None,
                ),
                <State<
                    Db,
                > as ::mcp_tasks::__private::Unnamed<_>>::take(call, &mut faults),
            ) else {
                return ::core::result::Result::Err(faults);
            };
            ::mcp_tasks::__private::Faults::none(faults)?;
            ::core::result::Result::Ok(
                ::mcp_tasks::__private::run(
                    search(a0, a1, a2, a3, a4),
                    <Result<
                        Json<Hits>,
                        ToolError,
                    > as ::mcp_tasks::__private::Returned>::into_output,
                ),
            )
        }
    }
};
