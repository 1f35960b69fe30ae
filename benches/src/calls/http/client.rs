//! As little of an HTTP client as the servers need, so that it is never what is waited for.

use std::io::{self, BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::thread;
use std::time::{Duration, Instant};

use super::Wire;

/// How long a server may take to start.
const START: Duration = Duration::from_secs(10);

/// How long it may say nothing.
const SILENCE: Duration = Duration::from_secs(30);

/// One connection that is kept open.
pub(super) struct Client {
    connection: BufReader<TcpStream>,
    address: String,
    wire: Wire,
    /// The session that the server opened, if it did.
    session: Option<String>,
    body: Vec<u8>,
}

impl Client {
    /// Connects as soon as the server listens.
    pub(super) fn connect(address: &str, wire: Wire) -> io::Result<Self> {
        let end = Instant::now() + START;
        loop {
            match TcpStream::connect(address) {
                Ok(connection) => return Self::over(connection, address, wire, None),
                Err(error) if Instant::now() > end => return Err(error),
                Err(_) => thread::sleep(Duration::from_millis(5)),
            }
        }
    }

    /// A further connection of the same client.
    pub(super) fn another(&self) -> io::Result<Self> {
        let connection = TcpStream::connect(&self.address)?;
        Self::over(connection, &self.address, self.wire, self.session.clone())
    }

    fn over(
        connection: TcpStream,
        address: &str,
        wire: Wire,
        session: Option<String>,
    ) -> io::Result<Self> {
        connection.set_nodelay(true)?;
        connection.set_read_timeout(Some(SILENCE))?;
        Ok(Self {
            connection: BufReader::new(connection),
            address: address.to_owned(),
            wire,
            session,
            body: Vec::new(),
        })
    }

    /// Opens a session where the wire has one.
    pub(super) fn hello(&mut self) -> io::Result<()> {
        for message in self.wire.hello() {
            self.post(message)?;
        }
        Ok(())
    }

    /// The answer to the call with this id.
    pub(super) fn call(&mut self, id: usize) -> io::Result<&str> {
        let call = self.wire.call(id);
        self.post(&call)?;
        str::from_utf8(&self.body).map_err(io::Error::other)
    }

    /// Sends a message and reads the whole response.
    fn post(&mut self, message: &str) -> io::Result<()> {
        let mut request = format!(
            "POST /mcp HTTP/1.1\r\nHost: {}\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n\
             Content-Length: {}\r\n",
            self.address,
            message.len()
        );
        if self.wire == Wire::Modern || self.session.is_some() {
            request += "MCP-Protocol-Version: ";
            request += self.wire.revision();
            request += "\r\n";
        }
        if self.wire == Wire::Modern {
            request += "Mcp-Method: tools/call\r\nMcp-Name: search\r\n";
        }
        if let Some(session) = &self.session {
            request += "Mcp-Session-Id: ";
            request += session;
            request += "\r\n";
        }
        request += "\r\n";
        request += message;
        self.connection.get_mut().write_all(request.as_bytes())?;
        self.read_response()
    }

    fn read_response(&mut self) -> io::Result<()> {
        self.body.clear();
        let status = self.line()?;
        if !status.starts_with("HTTP/1.1 2") {
            return Err(io::Error::other(format!("the server answers {status}")));
        }
        let mut length = 0;
        let mut chunked = false;
        loop {
            let line = self.line()?;
            let Some((name, value)) = line.split_once(": ") else {
                break;
            };
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().map_err(io::Error::other)?,
                "transfer-encoding" => chunked = value == "chunked",
                "mcp-session-id" => self.session = Some(value.to_owned()),
                _ => {}
            }
        }
        if !chunked {
            return self.read_body(length);
        }
        loop {
            let length = self.line()?;
            let length = usize::from_str_radix(&length, 16).map_err(io::Error::other)?;
            self.read_body(length)?;
            self.line()?;
            if length == 0 {
                return Ok(());
            }
        }
    }

    fn line(&mut self) -> io::Result<String> {
        let mut line = String::new();
        self.connection.read_line(&mut line)?;
        line.truncate(line.trim_end().len());
        Ok(line)
    }

    fn read_body(&mut self, length: usize) -> io::Result<()> {
        let start = self.body.len();
        self.body.resize(start + length, 0);
        self.connection.read_exact(&mut self.body[start..])
    }
}
