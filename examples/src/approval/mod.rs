//! Questions to the user: two at once, and a page to visit.
//!
//! A release is published once somebody has signed it off, said how it is rolled out, and uploaded the archive. Shows
//!
//! - typed questions sent together, with `tokio::try_join!`: the user sees both, whichever is answered first;
//! - `ctx.elicit_url(..)` for what must not pass through the client, such as a file or a secret, and `until(..)`, which
//!   waits until the page has done its part;
//! - `ctx.supports(..)`, so that nobody answers two forms for a client that cannot show the page.
//!
//! Run it: `cargo run -p examples --bin approval`. It serves MCP over stdio and the page on a port of this machine.

mod uploads;

use mcp_tasks::Capability;
use mcp_tasks::prelude::*;

pub use self::uploads::Uploads;

/// Who stands for a release.
#[derive(ElicitForm)]
struct SignOff {
    /// Your name, for the log
    #[form(min_len = 1, max_len = 80)]
    name: String,
    /// The tests of this version have passed
    tested: bool,
}

/// How a release reaches its users.
#[derive(ElicitForm)]
struct Rollout {
    channel: Channel,
    /// Users who get it on the first day, in percent
    #[form(min = 1, max = 100, default = 10)]
    first_day: u8,
}

/// Where a release goes.
#[derive(ElicitForm)]
enum Channel {
    Stable,
    Beta,
}

impl Channel {
    fn name(&self) -> &'static str {
        match self {
            Self::Stable => "stable",
            Self::Beta => "beta",
        }
    }
}

/// Publish a release, once it is approved and its archive is there.
#[mcp_tool(task, destructive)]
async fn publish(
    /// Such as `1.4.0`
    version: String,
    State(uploads): State<Uploads>,
    ctx: Context,
) -> Result<String, ToolError> {
    if !ctx.supports(Capability::UrlElicitation) {
        return Err("publishing needs a client that can open a page (`elicitation.url`)".into());
    }
    let (sign_off, rollout) = tokio::try_join!(
        ctx.elicit::<SignOff>(format!("Do you sign off {version}?"))
            .key("sign_off"),
        ctx.elicit::<Rollout>(format!("How is {version} rolled out?"))
            .key("rollout"),
    )?;
    let (Answer::Accepted(sign_off), Answer::Accepted(rollout)) = (sign_off, rollout) else {
        return Ok("not published: it was not approved".into());
    };
    if !sign_off.tested {
        return Ok("not published: it is not tested".into());
    }
    let Some(archive) = archive(&version, &uploads, &ctx).await? else {
        return Ok("not published: there is no archive".into());
    };
    Ok(format!(
        "published {version} ({} bytes) to {} for {} %, signed off by {}",
        archive.len(),
        rollout.channel.name(),
        rollout.first_day,
        sign_off.name
    ))
}

/// The archive, as soon as it is uploaded; `None` if the user does not want to.
async fn archive(
    version: &str,
    uploads: &Uploads,
    ctx: &Context,
) -> Result<Option<Vec<u8>>, ToolError> {
    let page = ctx
        .elicit_url(format!("Upload the archive of {version}"), |id| {
            uploads.url(id)
        })
        .key("archive");
    let uploaded = uploads.expect(page.id());
    match page.until(uploaded).await? {
        Answer::Accepted(archive) => Ok(Some(archive?)),
        Answer::Declined | Answer::Dismissed => Ok(None),
    }
}

/// A server whose users upload to the page of `uploads`.
pub fn server(uploads: Uploads) -> Server {
    Server::new("releases")
        .state(uploads)
        .tools(tools![publish])
}
