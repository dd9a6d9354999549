"""The four functions of deploy/aws, each with its role before AWS."""

from contextlib import contextmanager

from harness.emulated_lambda import EmulatedLambda
from harness.lambda_server import LambdaServer

from .gate import Gate, Need
from .terraform import Configuration, grants


class GuardedServer(LambdaServer):
    """An installation whose functions may do what their roles allow, and nothing else."""

    def start(self) -> "GuardedServer":
        super().start()
        self.function.stop()
        configuration = Configuration.read()
        self.gates = {role: Gate(self.world.endpoint, grants(configuration, role))
                      for role in configuration.locals["functions"]}
        self.by_role = {role: EmulatedLambda(self.environment | {"AWS_ENDPOINT_URL": gate.url}, timeout=self.timeout)
                        for role, gate in self.gates.items()}
        self.functions += self.by_role.values()
        self.function = self.by_role["api"]
        return self

    @contextmanager
    def invoking(self, role: str):
        """Within it, invocations go to the function of that role."""
        before, self.function = self.function, self.by_role[role]
        try:
            yield
        finally:
            self.function = before

    def command(self, *arguments: str, **more):
        with self.invoking("operator"):
            return super().command(*arguments, **more)

    def sweep(self) -> int:
        with self.invoking("schedule"):
            return super().sweep()

    def work_off(self) -> list[str]:
        with self.invoking("worker"):
            return super().work_off()

    def stop(self) -> int:
        for function in self.by_role.values():
            function.stop()
        return 0

    def denied(self) -> dict[str, set]:
        """What was asked for that a role does not allow."""
        return {role: gate.denied for role, gate in self.gates.items() if gate.denied}

    def called(self, role: str) -> set[Need]:
        """Every action on everything that the function of `role` asked for."""
        return {need for request in self.gates[role].requests for need in request.needs}
