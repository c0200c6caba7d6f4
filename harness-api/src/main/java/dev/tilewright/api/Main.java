package dev.tilewright.api;

import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.database.DatabaseCheck;
import dev.tilewright.api.platform.database.DatabaseUrl;
import dev.tilewright.api.platform.database.EmbeddedDatabase;
import dev.tilewright.api.platform.database.RefusedSchemaException;
import dev.tilewright.api.platform.process.HomeLock;
import dev.tilewright.api.platform.process.LocalWorker;
import dev.tilewright.api.platform.process.ServeEnvironment;
import dev.tilewright.api.platform.process.TlsFiles;
import dev.tilewright.api.platform.process.WrongUsage;
import dev.tilewright.api.study.flow.Rehearsal;
import dev.tilewright.model.exchange.DeviceNames;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.text.FileFault;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import org.springframework.boot.web.server.PortInUseException;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.core.env.MapPropertySource;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * The verb {@code serve}: looks at options and environment, refuses in one line what cannot work, then starts the
 * service. Exit codes: 2 bad usage, 4 something it needs is not there or taken.
 */
@Command(
        name = "tilewright serve",
        description = "Runs the service: jobs, queue, search and results over REST, with its own Postgres unless"
                + " DATABASE_URL is set.",
        sortOptions = false,
        footer = {
            "",
            "Environment:",
            "  TILEWRIGHT_HOME          folder of all data (default ~/.tilewright)",
            "  DATABASE_URL             postgres://user:password@host:port/database of an external Postgres",
            "  DATABASE_PASSWORD        its password, where DATABASE_URL has none",
            "  TILEWRIGHT_WORKER_TOKEN  token of the workers (default: one is written to worker.token in the home)",
            "  TILEWRIGHT_USER_TOKEN    token of the operator, which users then have to show (default: see --login);"
                    + " other",
            "                           users get theirs from 'tilewright token'",
            "  TILEWRIGHT_LOGIN         true is as --login, also for the service that 'tilewright tune' starts",
            "  TILEWRIGHT_HOSTS         names it is asked for under, with commas, beside its address and localhost",
            "A token has at least 16 characters; make one with: openssl rand -hex 24",
            "Each token, DATABASE_URL and DATABASE_PASSWORD may end in _FILE and name a file that has the value"
                    + " instead."
        })
public final class Main implements Callable<Integer> {

    private static final Logger LOG = LoggerFactory.getLogger(Main.class);
    private static final int FAILED = 4;
    private static final List<String> LOG_FORMATS = List.of("text", "json");

    /** Values of {@code --log-format}, for completion. */
    static final class LogFormats implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return LOG_FORMATS.iterator();
        }
    }

    @Spec
    private @Nullable CommandSpec spec;

    @Option(
            names = "--port",
            paramLabel = "N",
            defaultValue = "8080",
            description = "Port, 0 for any (default: ${DEFAULT-VALUE}).")
    private int port;

    @Option(
            names = "--address",
            paramLabel = "ADDRESS",
            defaultValue = "127.0.0.1",
            description = "Address to listen at (default: ${DEFAULT-VALUE}).")
    private String address = "127.0.0.1";

    @Option(
            names = "--tls-cert",
            paramLabel = "FILE",
            description = "Serve over TLS with this certificate and those that it was signed with, as PEM.")
    private @Nullable Path certificate;

    @Option(
            names = "--login",
            description =
                    "Ask users for a token on the loopback address too. Without TILEWRIGHT_USER_TOKEN one is drawn"
                            + " and kept in user.token in the home, where the command line reads it. A link that is printed"
                            + " logs a browser in, once.")
    private boolean login;

    @Option(names = "--tls-key", paramLabel = "FILE", description = "Private key of the certificate, as PEM.")
    private @Nullable Path key;

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            defaultValue = "auto",
            completionCandidates = DeviceNames.class,
            description = "Devices that the local worker offers: " + DeviceSelector.FORMS
                    + " with N SMs (default: ${DEFAULT-VALUE}).")
    private String device = "auto";

    @Option(
            names = "--check",
            description = "Have each kernel text proved on the emulator before it may run, in every job.")
    private boolean check;

    @Option(
            names = "--migrate",
            description =
                    "Bring a database of an older program up to date without keeping a copy: there is one already.")
    private boolean migrate;

    @Option(names = "--no-worker", description = "Start no local worker.")
    private boolean noWorker;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            defaultValue = "text",
            completionCandidates = LogFormats.class,
            description = "How to write the log, that of the local worker too: text, or json for an object a line with"
                    + " the ids of job, study and trial (default: ${DEFAULT-VALUE}).")
    private String logFormat = "text";

    /** Not for people: a service that {@code tune} has started ends with its last client. */
    @Option(names = "--started-by", paramLabel = "WHO", hidden = true)
    private @Nullable String startedBy;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help.")
    private boolean help;

    private final Map<String, String> environment;

    Main(Map<String, String> environment) {
        this.environment = environment;
    }

    public static void main(String... arguments) {
        int code =
                WrongUsage.inOneLine(new CommandLine(new Main(System.getenv()))).execute(arguments);
        if (code != 0) {
            System.exit(code);
        }
    }

    /** Starts the service; returns 0 when it runs, which goes on in other threads. */
    @Override
    public Integer call() throws IOException {
        ServeEnvironment asked;
        try {
            asked = ServeEnvironment.of(environment);
        } catch (IllegalArgumentException unusable) {
            return refuse(String.valueOf(unusable.getMessage()));
        }
        return begin(asked);
    }

    private int begin(ServeEnvironment asked) throws IOException {
        CommandLine command = java.util.Objects.requireNonNull(spec).commandLine();
        if (port < 0 || port > 65535) {
            throw new CommandLine.ParameterException(command, "--port must be from 0 to 65535, got " + port);
        }
        if (!LOG_FORMATS.contains(logFormat)) {
            throw new CommandLine.ParameterException(
                    command, "--log-format: a log format is text or json, got '" + logFormat + "'");
        }
        checkDevice(command);
        checkTls(command);
        InetAddress listen = listenAddress(command);
        Optional<String> weak;
        try {
            weak = asked.shortToken();
        } catch (IOException unreadable) {
            return refuse("cannot read a token in " + asked.home().root() + ": " + FileFault.reason(unreadable));
        }
        if (weak.isPresent()) {
            return refuse(weak.get());
        }
        login |= asked.login();
        if (!listen.isLoopbackAddress() && asked.userToken() == null && !login) {
            return refuse("address " + address
                    + " can be reached by others: give --login, or set TILEWRIGHT_USER_TOKEN, which users then have to"
                    + " show");
        }
        ServiceHome home = asked.home();
        Optional<HomeLock> lock;
        try {
            lock = HomeLock.tryAcquire(home);
        } catch (IOException unusable) {
            return refuse("the home " + home.root() + " cannot be used: " + FileFault.reason(unusable)
                    + "; TILEWRIGHT_HOME names another");
        }
        if (lock.isEmpty()) {
            return refuse("a service already runs on " + home.root() + ": "
                    + HomeLock.holder(home).orElse("it is just starting"));
        }
        Optional<String> problem = obstacle(listen, asked);
        if (problem.isPresent()) {
            lock.get().close();
            return refuse(problem.get());
        }
        return run(asked, lock.get());
    }

    private void checkDevice(CommandLine command) {
        try {
            DeviceSelector.parse(device);
        } catch (IllegalArgumentException e) {
            throw new CommandLine.ParameterException(command, "--device: " + e.getMessage(), e);
        }
    }

    private void checkTls(CommandLine command) {
        if ((certificate == null) != (key == null)) {
            throw new CommandLine.ParameterException(
                    command, (key == null ? "--tls-cert" : "--tls-key") + ": give --tls-cert and --tls-key together");
        }
        checkReadable(command, "--tls-cert", certificate);
        checkReadable(command, "--tls-key", key);
    }

    private static void checkReadable(CommandLine command, String option, @Nullable Path file) {
        if (file != null && (!Files.isRegularFile(file) || !Files.isReadable(file))) {
            throw new CommandLine.ParameterException(command, option + ": cannot read " + file);
        }
    }

    private InetAddress listenAddress(CommandLine command) {
        if (address.isBlank()) {
            // It would mean the loopback address to one and all addresses to another.
            throw new CommandLine.ParameterException(command, "--address must not be empty");
        }
        try {
            return InetAddress.getByName(address);
        } catch (UnknownHostException e) {
            throw new CommandLine.ParameterException(
                    command, "--address must be an address of this machine, got '" + address + "'", e);
        }
    }

    private Optional<String> obstacle(InetAddress listen, ServeEnvironment asked) {
        if (certificate != null && key != null) {
            Optional<String> unusable = new TlsFiles(certificate, key).obstacle();
            if (unusable.isPresent()) {
                return unusable;
            }
        }
        String url = asked.databaseUrl();
        if (url != null) {
            try {
                Optional<String> failure =
                        DatabaseCheck.failure(DatabaseUrl.parse(url).withPassword(asked.databasePassword()));
                if (failure.isPresent()) {
                    return failure;
                }
            } catch (IllegalArgumentException e) {
                return Optional.ofNullable(e.getMessage());
            }
        }
        if (port == 0) {
            return Optional.empty();
        }
        try (ServerSocket probe = new ServerSocket()) {
            probe.bind(new InetSocketAddress(listen, port));
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(portTaken(e.getMessage()));
        }
    }

    private String portTaken(@Nullable String why) {
        return "cannot listen at port " + port + " of " + address + ": " + why
                + "; choose another with --port, or 0 for any";
    }

    private int run(ServeEnvironment asked, HomeLock lock) throws IOException {
        // Until Spring reads its configuration, which says so as well.
        LoggingSystem.get(Main.class.getClassLoader()).setLogLevel("io.zonky.test.db.postgres", LogLevel.OFF);
        starting(asked);
        // What takes longest begins first; Spring comes up beside it.
        LocalWorker worker = new LocalWorker(asked.home(), device, logFormat, launcher());
        if (!noWorker) {
            worker.start();
        }
        if (startedBy != null) {
            Rehearsal.begin(Runtime.getRuntime().availableProcessors());
        }
        EmbeddedDatabase database = null;
        try {
            database = asked.databaseUrl() == null ? EmbeddedDatabase.start(asked.home()) : null;
            ConfigurableApplicationContext context =
                    application(properties(asked), worker, database).run();
            // Held for as long as the process lives: the kernel lets go of it even after a kill.
            context.getBeanFactory().registerSingleton("homeLock", lock);
            return 0;
        } catch (PortInUseException e) {
            undo(worker, database, lock);
            return refuse(portTaken("already in use"));
        } catch (IOException | RuntimeException e) {
            undo(worker, database, lock);
            Throwable reason = NestedExceptionUtils.getMostSpecificCause(e);
            if (reason instanceof RefusedSchemaException) {
                return refuse(String.valueOf(reason.getMessage()));
            }
            LOG.error("the service could not start", e);
            return refuse("the service could not start: " + reason.getMessage());
        }
    }

    /** It takes seconds, on a busy machine a minute, before the log begins. */
    private void starting(ServeEnvironment asked) {
        if (startedBy == null && logFormat.equals("text")) {
            PrintWriter err =
                    java.util.Objects.requireNonNull(spec).commandLine().getErr();
            err.println("tilewright serve: starting "
                    + (asked.databaseUrl() == null
                            ? "Postgres in " + asked.home().postgres() + ", "
                            : "")
                    + "the service" + (noWorker ? "" : " and its worker"));
            err.flush();
        }
    }

    /** Ends what was begun for a service that does not come to be; Spring knows of some of it, if it came that far. */
    private static void undo(LocalWorker worker, @Nullable EmbeddedDatabase database, HomeLock lock)
            throws IOException {
        worker.stop();
        if (database != null) {
            database.close();
        }
        lock.close();
    }

    private SpringApplication application(
            Map<String, Object> properties, LocalWorker worker, @Nullable EmbeddedDatabase database) {
        SpringApplication application = new SpringApplication(ApiApplication.class);
        if (logFormat.equals("json")) {
            // Read before there is a context: too early for what an initializer adds.
            application.setDefaultProperties(Map.of("logging.structured.format.console", "logstash"));
        }
        application.addInitializers(context -> {
            // First, so that no variable of the environment wins over an option that was typed.
            context.getEnvironment().getPropertySources().addFirst(new MapPropertySource("serve", properties));
            GenericApplicationContext beans = (GenericApplicationContext) context;
            beans.registerBean(LocalWorker.class, () -> worker);
            if (database != null) {
                beans.registerBean(EmbeddedDatabase.class, () -> database);
            }
        });
        return application;
    }

    private Map<String, Object> properties(ServeEnvironment asked) {
        Map<String, Object> properties = new LinkedHashMap<>();
        properties.put("server.port", port);
        properties.put("server.address", address);
        properties.put("tilewright.home", asked.home().root().toString());
        properties.put("tilewright.check", check);
        properties.put("tilewright.migrate", migrate);
        properties.put("tilewright.login", login);
        put(properties, "tilewright.started-by", startedBy);
        put(properties, "server.ssl.certificate", resource(certificate));
        put(properties, "server.ssl.certificate-private-key", resource(key));
        put(properties, "tilewright.database-url", asked.databaseUrl());
        put(properties, "tilewright.database-password", asked.databasePassword());
        put(properties, "tilewright.worker-token", asked.workerToken());
        put(properties, "tilewright.user-token", asked.userToken());
        put(properties, "tilewright.reader-token", asked.readerToken());
        put(properties, "tilewright.http.hosts", asked.hosts());
        return properties;
    }

    private static @Nullable String resource(@Nullable Path file) {
        return file == null ? null : "file:" + file.toAbsolutePath();
    }

    private static @Nullable Path launcher() {
        String script = System.getProperty("tilewright.launcher");
        return script == null ? null : Path.of(script);
    }

    private static void put(Map<String, Object> properties, String name, @Nullable String value) {
        if (value != null) {
            properties.put(name, value);
        }
    }

    private int refuse(String why) {
        PrintWriter err = java.util.Objects.requireNonNull(spec).commandLine().getErr();
        err.println("tilewright serve: " + why);
        err.flush();
        return FAILED;
    }
}
