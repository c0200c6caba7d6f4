package dev.tilewright.worker.agent;

import dev.tilewright.bundle.BundleName;
import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.DeviceNames;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.ServiceFile;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.proof.EmulatorBuild;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.families.FamilyBuild;
import dev.tilewright.worker.agent.bundle.BundleSource;
import dev.tilewright.worker.agent.bundle.FetchedBundles;
import dev.tilewright.worker.agent.check.ProofPool;
import dev.tilewright.worker.agent.check.RequiredCheck;
import dev.tilewright.worker.agent.compile.AssemblerSource;
import dev.tilewright.worker.agent.compile.Assemblers;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.compile.CubinCache;
import dev.tilewright.worker.agent.compile.NoAssembler;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.lease.DeadThreadException;
import dev.tilewright.worker.agent.lease.HeartbeatFile;
import dev.tilewright.worker.agent.lease.LeaseLoop;
import dev.tilewright.worker.agent.lease.SharedChecks;
import dev.tilewright.worker.agent.lease.Sleeper;
import dev.tilewright.worker.agent.lease.WorkerSession;
import dev.tilewright.worker.agent.trial.GemmSource;
import dev.tilewright.worker.agent.trial.KernelWorkshop;
import dev.tilewright.worker.agent.trial.LibrarySource;
import dev.tilewright.worker.agent.trial.Rehearsal;
import dev.tilewright.worker.agent.trial.TrialPath;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.command.Secrets;
import dev.tilewright.worker.link.command.Syntax;
import dev.tilewright.worker.link.command.TlsOption;
import dev.tilewright.worker.link.home.Home;
import dev.tilewright.worker.link.home.ServiceFileReader;
import dev.tilewright.worker.link.log.LogFormat;
import dev.tilewright.worker.link.probe.DeviceProbe;
import dev.tilewright.worker.link.probe.LocalDevice;
import dev.tilewright.worker.link.process.ParentWatch;
import dev.tilewright.worker.link.process.ProcessTree;
import dev.tilewright.worker.link.process.ScratchDirectory;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code worker}: takes leases from an API and runs them on the devices of this machine until it is told to stop. */
@Command(
        name = "worker",
        description = "Run trials for a service on the devices of this machine.",
        footer = {
            "",
            "Assembled kernels are kept in cubins/ of TILEWRIGHT_HOME, up to TILEWRIGHT_CUBIN_CACHE_MIB (default 2048"
                    + " MiB)."
        })
public final class WorkerCommand implements Callable<Integer> {

    private static final Logger LOG = System.getLogger(WorkerCommand.class.getName());
    private static final Duration ASSEMBLE = Duration.ofSeconds(60);

    @Option(names = "--api", paramLabel = "URL", description = "Address of the service; required.")
    private @Nullable String api;

    /** Not for people: a service that starts its own worker does not know its port yet. */
    @Option(
            names = "--service-file",
            paramLabel = "FILE",
            hidden = true,
            description = "Use instead of --api: a file in which a service of this machine writes its address.")
    private @Nullable Path serviceFile;

    @Option(
            names = "--token",
            paramLabel = "@FILE",
            description =
                    "File with a worker token of the service, or - for standard input (also TILEWRIGHT_WORKER_TOKEN"
                            + " or TILEWRIGHT_WORKER_TOKEN_FILE).")
    private @Nullable String token;

    @Mixin
    private TlsOption tls = new TlsOption();

    @Option(
            names = "--device",
            paramLabel = "DEVICE",
            completionCandidates = DeviceNames.class,
            split = ",",
            splitSynopsisLabel = ",",
            description = DeviceSelector.FORMS + " with N SMs; repeatable (default: auto).")
    private List<String> devices = new ArrayList<>(List.of("auto"));

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "How to write the log: text, or json for an object a line with the ids of study and trial"
                    + " (default: text).")
    private String logFormat = "text";

    @Option(names = "--parent", paramLabel = "PID", hidden = true, description = "Stop when this process is gone.")
    private @Nullable Long parent;

    private final Map<String, String> environment;
    private final DeviceProbe probe;
    private final DeviceFactory factory;
    private final Class<?> assembler;

    /** @param assembler main class of children that assemble with a library */
    public WorkerCommand(
            Map<String, String> environment, DeviceProbe probe, DeviceFactory factory, Class<?> assembler) {
        this.environment = environment;
        this.probe = probe;
        this.factory = factory;
        this.assembler = assembler;
    }

    private void installLog() {
        try {
            LogFormat.named(logFormat).install();
        } catch (IllegalArgumentException unknown) {
            throw CommandFailedException.usage("--log-format: " + unknown.getMessage());
        }
    }

    @Override
    public Integer call() throws InterruptedException {
        installLog();
        if (parent != null) {
            ParentWatch.onExit(parent, () -> System.exit(ExitCode.OK.code()));
        }
        if (api == null && serviceFile == null) {
            throw CommandFailedException.usage("Missing required option: '--api=URL'");
        }
        Optional<ApiClient> named =
                Optional.ofNullable(api).map(url -> new ApiClient(Syntax.api(url), token(), tls.trust(environment)));
        ScratchDirectory.clearAbandoned();
        List<DeviceSelector.OneDevice> selectors = selectors();
        int threads = CompilePool.threadsFor(Runtime.getRuntime().availableProcessors());
        try (ExecutorService builders = Executors.newFixedThreadPool(
                        threads, Thread.ofPlatform().name("build-", 0).daemon().factory());
                Equipment equipment = Equipment.start(
                        selectors,
                        factory,
                        () -> pool(selectors, threads),
                        pool -> rehearsals(selectors, pool, builders))) {
            try (ApiClient client = named.isPresent() ? named.get() : local()) {
                serve(client, equipment, builders, threads);
            } finally {
                builders.shutdownNow();
            }
        }
        return ExitCode.OK.code();
    }

    /** The service on this machine, which comes up beside the equipment and writes the token meanwhile. */
    private ApiClient local() throws InterruptedException {
        Path file = Objects.requireNonNull(serviceFile, "one of two options");
        try {
            ServiceFile service = new ServiceFileReader(file).await();
            return new ApiClient(URI.create(service.url()), token(), Trust.of(service));
        } catch (IOException unreadable) {
            throw CommandFailedException.infrastructure("--service-file: " + unreadable, unreadable);
        }
    }

    private void serve(ApiClient client, Equipment equipment, ExecutorService builders, int threads)
            throws InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        try (ProofPool proofs = new ProofPool(
                sms -> factory.open(new DeviceSelector.Emulated(sms), () -> "none"), ProofPool.sizeFor(cores))) {
            serve(client, equipment, builders, proofs, threads);
        }
    }

    private void serve(ApiClient client, Equipment equipment, ExecutorService builders, ProofPool proofs, int threads)
            throws InterruptedException {
        GemmFamilies families = GemmFamilies.standard();
        Families known = Families.standard();
        String build = FamilyBuild.running().id();
        WorkerRegistration registration = new WorkerRegistration(
                UUID.randomUUID(),
                hostName(),
                ProcessHandle.current().pid(),
                equipment.devices().stream().map(Device::offer).toList(),
                Stream.concat(known.names().stream(), BundleName.makers().stream())
                        .collect(Collectors.toMap(name -> name, name -> build)));
        WorkerSession session = new WorkerSession(client, registration, Clock.systemUTC());
        FetchedBundles bundles = new FetchedBundles(session::bundle);
        Families spaces = known.with(bundles);
        KernelWorkshop workshop = new KernelWorkshop(
                new BundleSource(bundles, new LibrarySource(known, new GemmSource(families))),
                equipment.pool(),
                builders);
        RequiredCheck check = new RequiredCheck(
                spaces,
                new SharedChecks(session),
                proofs,
                EmulatorBuild.running().id(),
                builders);
        Map<String, TrialPath> paths = new HashMap<>();
        for (Device device : equipment.devices()) {
            paths.put(device.label(), new TrialPath(spaces, build, workshop, device, check));
        }
        // Enough leases to keep all assemblers at work, shared by the devices: none hoards what another could run. What
        // proves has nothing most of the time, and takes nothing away from those that measure.
        long sharing =
                equipment.devices().stream().filter(device -> !device.proves()).count();
        int depth = Math.ceilDiv(2 * threads, Math.max(1, (int) sharing)) + 2;
        HeartbeatFile answered = new HeartbeatFile(Home.of(environment).heartbeat(), Clock.systemUTC());
        LeaseLoop loop = new LeaseLoop(session, paths, depth, Sleeper.REAL, answered);
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            System.err.println(loop.stop());
                            proofs.close();
                            equipment.devices().forEach(Device::close);
                            // Assemblers at work would outlive it, some of them for long.
                            builders.shutdownNow();
                            new ProcessTree(ProcessHandle.current()).strikeBelow();
                        },
                        "stop the worker"));
        LOG.log(
                Level.INFO,
                "worker " + registration.workerId() + " offers " + paths.keySet() + " to " + client.base()
                        + ", assembles with " + equipment.pool().assembler());
        try {
            loop.run();
        } catch (ApiRefusedException refused) {
            throw CommandFailedException.usage(
                    refused.isUnauthorized()
                            ? "the service at " + client.base() + " does not accept the worker token: "
                                    + refused.getMessage()
                            : "the service at " + client.base() + " refuses this worker: " + refused.getMessage(),
                    refused);
        } catch (DeadThreadException dead) {
            WorkerEnd.soon();
            throw CommandFailedException.infrastructure(String.valueOf(dead.getMessage()), dead);
        }
    }

    /** By the label of each GPU. GPUs that run the same kernels have the same one. */
    private Map<String, Rehearsal> rehearsals(
            List<DeviceSelector.OneDevice> selectors, CompilePool pool, ExecutorService builders) {
        GemmFamilies families = GemmFamilies.standard();
        KernelWorkshop workshop = new KernelWorkshop(new GemmSource(families), pool, builders);
        Map<String, Rehearsal> byFamily = new HashMap<>();
        Map<String, Rehearsal> byLabel = new HashMap<>();
        for (DeviceSelector.OneDevice selector : selectors) {
            String family = LocalDevice.family(selector, probe);
            if (family != null) {
                byLabel.put(
                        selector.toString(),
                        byFamily.computeIfAbsent(family, name -> new Rehearsal(families, name, workshop, builders)));
            }
        }
        return byLabel;
    }

    private List<DeviceSelector.OneDevice> selectors() {
        return devices.stream()
                .map(text -> Syntax.read("--device", text.strip(), DeviceSelector::parse))
                .flatMap(this::resolved)
                .distinct()
                .toList();
    }

    /** Devices that {@code auto} or {@code cuda:all} means on this machine. */
    private Stream<DeviceSelector.OneDevice> resolved(DeviceSelector selector) {
        DeviceSelector known = DeviceSelector.parse(LocalDevice.offered(selector, probe, System.err));
        return switch (known) {
            case DeviceSelector.Auto _ -> Stream.of(new DeviceSelector.Cuda(0));
            case DeviceSelector.AllCuda _ ->
                switch (probe.probe()) {
                    case DeviceProbe.Found found ->
                        found.gpus().stream().map(gpu -> new DeviceSelector.Cuda(gpu.ordinal()));
                    case DeviceProbe.NoDriver _, DeviceProbe.Failing _ ->
                        throw CommandFailedException.infrastructure("the GPUs have gone");
                };
            case DeviceSelector.OneDevice one -> Stream.of(one);
        };
    }

    private CompilePool pool(List<DeviceSelector.OneDevice> selectors, int threads) {
        @Nullable
        Integer gpu = selectors.stream()
                .filter(selector -> selector instanceof DeviceSelector.Cuda)
                .map(selector -> ((DeviceSelector.Cuda) selector).ordinal())
                .findFirst()
                .orElse(null);
        Assemblers assemblers = new Assemblers(environment, gpu, assembler);
        try {
            AssemblerSource source = assemblers.choose();
            return new CompilePool(
                    source, threads, CubinCache.of(Home.of(environment).cubins(), environment), ASSEMBLE);
        } catch (IOException none) {
            if (!assemblers.isNamed()
                    && selectors.stream().allMatch(selector -> selector instanceof DeviceSelector.Emulated)) {
                LOG.log(Level.WARNING, "texts are proved but not assembled: " + none.getMessage());
                return unassembling(none, threads);
            }
            throw CommandFailedException.infrastructure(none.getMessage(), none);
        }
    }

    /** The emulator reads the text itself; without an assembler nothing is known of its registers. */
    private CompilePool unassembling(IOException none, int threads) {
        try {
            AssemblerSource absent = () -> new NoAssembler(String.valueOf(none.getMessage()));
            return new CompilePool(
                    absent, threads, CubinCache.of(Home.of(environment).cubins(), environment), ASSEMBLE);
        } catch (IOException unwritable) {
            throw CommandFailedException.infrastructure(unwritable.getMessage(), unwritable);
        }
    }

    private @Nullable String token() {
        return new Secrets(environment).read("--token", token, "TILEWRIGHT_WORKER_TOKEN");
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (IOException nameless) {
            return "localhost";
        }
    }
}
