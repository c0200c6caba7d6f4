package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.service.Launcher;
import dev.tilewright.worker.cli.service.LocalService;
import dev.tilewright.worker.link.command.Secrets;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.command.TlsOption;
import dev.tilewright.worker.link.home.Home;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Options that select the service of a verb. */
public final class ServiceOptions {

    @Option(
            names = "--api",
            paramLabel = "URL",
            description = "Use the service at this address instead of the one of this machine.")
    private @Nullable String api;

    @Option(
            names = "--token",
            paramLabel = "@FILE",
            description =
                    "File with the user token of the service, where it asks for one, or - for standard input (also"
                            + " TILEWRIGHT_TOKEN or TILEWRIGHT_USER_TOKEN, or either with _FILE).")
    private @Nullable String token;

    @Mixin
    private TlsOption tls = new TlsOption();

    public boolean isRemote() {
        return api != null;
    }

    /** Log of the worker of this machine; {@code null} if the service is elsewhere. */
    public @Nullable Path localLog(Map<String, String> environment) {
        return isRemote() ? null : Home.of(environment).workerLog();
    }

    /**
     * Connects.
     *
     * @param device what a service that is started here is to offer
     */
    public Connection connect(Map<String, String> environment, String device, PrintStream notices)
            throws InterruptedException {
        // A service that is started here inherits the environment, and asks for that token where it has one.
        String shown = new Secrets(environment).read("--token", token, "TILEWRIGHT_TOKEN", "TILEWRIGHT_USER_TOKEN");
        if (api != null) {
            return Connection.remote(Syntax.api(api), shown, tls.trust(environment), notices);
        }
        LocalService service = new LocalService(Home.of(environment), Launcher.ofThisProcess(), device, notices);
        return Connection.local(service, shown, notices);
    }
}
