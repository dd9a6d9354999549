"""A program that serves, as a context manager, over the one harness that starts programs."""

from harness.programs import Program
from harness.programs import binary as binary


class ListeningProcess:
    """A server binary that prints `listening on http://HOST:PORT` when it is ready; `url` is where it listens."""

    def __init__(self, name, *arguments):
        self.name, self.arguments = name, [str(argument) for argument in arguments]
        self.url = None
        self._program = None

    @property
    def lines(self):
        """Everything it printed on either stream so far."""
        return (self._program.output + self._program.log).splitlines()

    def start(self):
        self._program = Program(self.name, self.arguments)
        self.url = self._program.address()
        return self

    def terminate(self):
        """Asks it to end, and gives its exit status."""
        return self._program.stop()

    def __enter__(self):
        return self.start()

    def __exit__(self, *_):
        if self._program.process.poll() is None:
            self.terminate()
