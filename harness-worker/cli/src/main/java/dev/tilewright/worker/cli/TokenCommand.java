package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.TextTable;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Syntax;
import java.io.PrintStream;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code token}: makes, lists and revokes tokens, with that of an operator. */
@Command(
        name = "token",
        description =
                "Make, list and revoke the tokens of users and workers, each with a role. Asks the service with the"
                        + " token of an operator.")
public final class TokenCommand {

    private static final String PATH = "/api/v1/tokens";

    private static final Faults FAULTS = new Faults(Map.of("/name", "NAME", "/role", "--role"), List.of());

    private final Map<String, String> environment;
    private final Printer out;
    private final PrintStream err;

    /** The requested token. */
    private record Wanted(String name, String role) {}

    private record Created(String token) {}

    private record Known(String name, String role, String createdBy, Instant createdAt) {}

    private record All(List<Known> items) {}

    /**
     * @param out tokens
     * @param err notices
     */
    public TokenCommand(Map<String, String> environment, PrintStream out, PrintStream err) {
        this.environment = environment;
        this.out = Printer.of(environment, out);
        this.err = err;
    }

    @Command(name = "create", description = "Make a token. It is printed this once, alone on standard output.")
    int create(
            @Parameters(
                            paramLabel = "NAME",
                            description = "Name of its owner: 1 to 64 letters, digits, '.', '_' or '-'.")
                    String name,
            @Option(
                            names = "--role",
                            paramLabel = "ROLE",
                            required = true,
                            description = "reader (reads), submitter (also submits jobs and cancels its own), operator"
                                    + " (everything that users may), or worker (one machine that runs trials).")
                    String role,
            @Mixin ServiceOptions service)
            throws InterruptedException {
        return at(service, connection -> {
            Created created = connection.send(api -> api.post(PATH, new Wanted(name, role), Created.class));
            err.println("token '" + name + "' (" + role + "), shown this once:");
            out.copy(created.token());
        });
    }

    @Command(name = "list", description = "List all tokens, without their secrets.")
    int list(@Mixin ServiceOptions service) throws InterruptedException {
        return at(service, connection -> {
            List<Known> known = connection.send(api -> api.get(PATH, All.class)).items();
            if (known.isEmpty()) {
                err.println("there are no tokens but those that the service was started with");
                return;
            }
            TextTable table = new TextTable(List.of("name", "role", "made by", "made at"), "llll");
            known.forEach(token -> table.add(List.of(
                    token.name(),
                    token.role(),
                    token.createdBy(),
                    token.createdAt().toString())));
            out.show(table);
        });
    }

    @Command(name = "revoke", description = "Revoke a token: it is refused from then on.")
    int revoke(
            @Parameters(paramLabel = "NAME", description = "Name of the token.") String name,
            @Mixin ServiceOptions service)
            throws InterruptedException {
        Syntax.requireSegment("NAME", name);
        return at(service, connection -> {
            connection.send(api -> {
                api.delete(PATH + "/" + name);
                return true;
            });
            err.println("token '" + name + "' is revoked");
        });
    }

    private interface Work {
        void with(Connection connection) throws ApiRefusedException, InterruptedException;
    }

    private int at(ServiceOptions service, Work work) throws InterruptedException {
        // A service that is started to answer this needs no GPU.
        try (Connection connection = service.connect(environment, "simulated:h200", err)) {
            work.with(connection);
            return ExitCode.OK.code();
        } catch (ApiRefusedException refused) {
            throw FAULTS.failure(refused);
        }
    }
}
