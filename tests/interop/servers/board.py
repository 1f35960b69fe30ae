"""What the servers in Python share."""

import os
from asyncio import Event
from collections import defaultdict


class Board:
    """What one call pins up for another to find."""

    def __init__(self):
        self._notes = defaultdict(Event)

    def note(self, name):
        return self._notes[name]


def serve(server):
    if port := os.environ.get("PORT"):
        server.run(transport="http", host="127.0.0.1", port=int(port), show_banner=False, log_level="warning")
    else:
        server.run(transport="stdio", show_banner=False, log_level="warning")
