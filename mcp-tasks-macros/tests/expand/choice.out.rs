const _: () = {
    #[automatically_derived]
    #[allow(unused_variables)]
    impl ::mcp_tasks::__private::FormChoice for Meal {
        const ITEMS: &'static [(&'static str, ::core::option::Option<&'static str>)] = &[
            ("Veg", ::core::option::Option::Some("Vegetarian")),
            ("Fish", ::core::option::Option::None),
        ];
        const TITLE: ::core::option::Option<&'static str> = ::core::option::Option::None;
        const DESCRIPTION: ::core::option::Option<&'static str> = ::core::option::Option::Some(
            "What to eat",
        );
        fn at(index: usize) -> ::core::option::Option<Self> {
            ::core::option::Option::Some(
                match index {
                    0usize => Self::Veg,
                    1usize => Self::Fish,
                    _ => return ::core::option::Option::None,
                },
            )
        }
        fn index(&self) -> usize {
            match self {
                Self::Veg => 0usize,
                Self::Fish => 1usize,
            }
        }
    }
    #[automatically_derived]
    impl ::mcp_tasks::__private::FormField for Meal {
        type Kind = ::mcp_tasks::__private::Choice;
        fn blank(
            name: &str,
        ) -> ::mcp_tasks::__private::Field<::mcp_tasks::__private::Choice> {
            ::mcp_tasks::__private::choice::blank::<Self>(name)
        }
        fn into_default(
            self,
            field: ::mcp_tasks::__private::Field<::mcp_tasks::__private::Choice>,
        ) -> ::mcp_tasks::__private::Field<::mcp_tasks::__private::Choice> {
            ::mcp_tasks::__private::choice::into_default(self, field)
        }
        fn take(value: ::mcp_tasks::__private::Value) -> ::core::option::Option<Self> {
            ::mcp_tasks::__private::choice::take(value)
        }
    }
    #[automatically_derived]
    impl ::mcp_tasks::__private::ElicitForm for Meal {
        #[allow(unused_variables)]
        fn fields(
            pass: &mut ::mcp_tasks::__private::FormPass,
        ) -> ::core::option::Option<Self> {
            <Self as ::mcp_tasks::__private::FormField>::visit(
                pass,
                "value",
                ::core::option::Option::None,
                |f| { f },
            )
        }
    }
};
