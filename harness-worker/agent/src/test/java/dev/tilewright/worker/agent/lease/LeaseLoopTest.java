package dev.tilewright.worker.agent.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Protocol;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.worker.agent.check.FakeEmulator;
import dev.tilewright.worker.agent.check.ProofPool;
import dev.tilewright.worker.agent.check.RequiredCheck;
import dev.tilewright.worker.agent.compile.CompilePool;
import dev.tilewright.worker.agent.compile.CubinCache;
import dev.tilewright.worker.agent.compile.FakeAssembler;
import dev.tilewright.worker.agent.device.PreparedTrial;
import dev.tilewright.worker.agent.trial.GemmSource;
import dev.tilewright.worker.agent.trial.KernelWorkshop;
import dev.tilewright.worker.agent.trial.TrialPath;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.log.JsonFormatter;
import dev.tilewright.worker.link.process.GpuTurn;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A worker against an API that goes away, forgets, takes away and refuses. */
@Timeout(60)
class LeaseLoopTest {

    private static final String BUILD = "build-1";
    private static final int DEPTH = 3;
    private static final Path GPUS = Path.of(System.getProperty("java.io.tmpdir"), "tilewright-gpus");
    private static final Problem PROBLEM = Problem.of(new ProblemShape(2048, 1024, 768), DataType.BF16);
    private static final SearchSpace SPACE =
            GemmFamilies.standard().named("sm90-gemm").space().space(PROBLEM, DeviceLimits.of(132));

    @TempDir
    private Path directory;

    private final FakeDevice device = new FakeDevice();
    private final FakeEmulator emulator = FakeEmulator.saying(Verdict.PROVED);
    private final ProofPool proofs = new ProofPool(_ -> emulator, 1);
    private FakeApi api;
    private ApiClient client;
    private CompilePool pool;
    private LeaseLoop loop;
    private Thread worker;
    private volatile Exception end;
    private Runnable answered = () -> {};

    @BeforeEach
    void open() throws IOException {
        api = new FakeApi();
        pool = new CompilePool(FakeAssembler::new, 1, new CubinCache(directory, 1 << 30), Duration.ofSeconds(10));
    }

    @AfterEach
    void close() throws InterruptedException {
        if (loop != null) {
            loop.stop();
            worker.join();
            client.close();
        }
        device.close();
        proofs.close();
        pool.close();
        api.close();
    }

    private void start(String token) {
        start(token, List.of(device));
    }

    private void start(String token, List<FakeDevice> devices) {
        start(token, devices, pause -> Thread.sleep(1));
    }

    private void start(String token, List<FakeDevice> devices, Sleeper sleeper) {
        client = api.client(token);
        WorkerRegistration registration = new WorkerRegistration(
                UUID.randomUUID(),
                "host",
                1,
                devices.stream().map(FakeDevice::offer).toList(),
                Map.of("sm90-gemm", BUILD));
        WorkerSession session = new WorkerSession(client, registration, Clock.systemUTC());
        Map<String, TrialPath> paths = new HashMap<>();
        for (FakeDevice each : devices) {
            paths.put(
                    each.label(),
                    new TrialPath(
                            GemmFamilies.standard().spaces(),
                            BUILD,
                            new KernelWorkshop(new GemmSource(GemmFamilies.standard()), pool, Runnable::run),
                            each,
                            new RequiredCheck(
                                    Families.standard(),
                                    new SharedChecks(session),
                                    proofs,
                                    FakeEmulator.BUILD,
                                    Runnable::run)));
        }
        HeartbeatFile file = new HeartbeatFile(heartbeat(), new HeardClock(answered));
        loop = new LeaseLoop(session, paths, DEPTH, sleeper, file);
        worker = Thread.ofPlatform().start(() -> {
            try {
                loop.run();
            } catch (InterruptedException | ApiRefusedException | RuntimeException failed) {
                end = failed;
            }
        });
    }

    /** Is asked for the time of each heartbeat that was answered. */
    private static final class HeardClock extends Clock {
        private final Runnable asked;

        HeardClock(Runnable asked) {
            this.asked = asked;
        }

        @Override
        public Instant instant() {
            asked.run();
            return Instant.now();
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private static List<Config> configs(int count) {
        SplittableRandom random = new SplittableRandom(11);
        SpaceTree tree = SpaceTree.of(SPACE);
        return Stream.generate(() -> tree.draw(random)).distinct().limit(count).toList();
    }

    private static Lease lease(String build, String hash, Config config) {
        return lease(build, hash, config, false);
    }

    private static Lease lease(String build, String hash, Config config, boolean check) {
        return new Lease(
                UUID.randomUUID(),
                5,
                900,
                UUID.randomUUID(),
                UUID.randomUUID(),
                PROBLEM,
                build,
                Map.of("sm90-gemm", hash),
                1,
                check,
                new Work.Screen(UUID.randomUUID(), 1, config));
    }

    private static Lease finalLease() {
        List<Work.Contender> contenders = configs(2).stream()
                .map(config -> new Work.Contender(UUID.randomUUID(), config, 0))
                .toList();
        Lease lease = lease(BUILD, SPACE.hash(), configs(1).getFirst());
        return new Lease(
                lease.leaseId(),
                5,
                900,
                lease.jobId(),
                lease.studyId(),
                PROBLEM,
                BUILD,
                Map.of("sm90-gemm", SPACE.hash()),
                2,
                false,
                new Work.Final(contenders, 1, List.of("cublaslt"), null));
    }

    private List<Lease> offer(int count) {
        List<Lease> leases = configs(count).stream()
                .map(config -> lease(BUILD, SPACE.hash(), config))
                .toList();
        leases.forEach(api::offer);
        return leases;
    }

    private static TrialOutcome outcome(Report report) {
        return ((Report.Screened) report).result().outcome();
    }

    @Test
    void runsEveryLeaseOnce() throws InterruptedException {
        List<Lease> leases = offer(8);
        device.permits.release(100);
        start(FakeApi.TOKEN);

        api.await(() -> api.reports().size() == 8);

        assertThat(api.reports().keySet())
                .containsExactlyInAnyOrderElementsOf(
                        leases.stream().map(Lease::leaseId).toList());
        assertThat(api.reports().values()).allSatisfy(report -> {
            assertThat(report.fence()).isEqualTo(5);
            assertThat(outcome(report)).isEqualTo(TrialOutcome.COMPLETED);
            assertThat(((Report.Screened) report).result().timesNs()).containsKeys("build", "assemble", "measure");
            assertThat(((Report.Screened) report).result().compilation().ptxHash())
                    .hasSize(64);
        });
        assertThat(device.runs).hasValue(8);
        assertThat(api.largestRequest()).isLessThanOrEqualTo(DEPTH);
    }

    @Test
    void whatItLogsHasTheIdsOfJobStudyAndTrial() throws InterruptedException {
        Queue<String> lines = new ConcurrentLinkedQueue<>();
        Logger logger = Logger.getLogger(DeviceLoop.class.getName());
        Handler handler = new Handler() {
            @Override
            public void publish(LogRecord entry) {
                lines.add(new JsonFormatter().format(entry));
            }

            @Override
            public void flush() {}

            @Override
            public void close() {}
        };
        logger.addHandler(handler);
        try {
            Lease lease = offer(1).getFirst();
            device.permits.release(100);
            start(FakeApi.TOKEN);
            api.await(() -> api.reports().size() == 1);
            assertThat(lines)
                    .filteredOn(line -> line.contains(lease.leaseId().toString()))
                    .singleElement()
                    .asString()
                    .contains("\"job\":\"" + lease.jobId() + "\"", "\"study\":\"" + lease.studyId() + "\"")
                    .contains("\"trial\":\"" + ((Work.Screen) lease.work()).trialId() + "\"")
                    .contains("works on study " + lease.studyId() + ": 2048x1024x768");
        } finally {
            logger.removeHandler(handler);
        }
    }

    /** Each run waits until both devices have one: a worker that used them in turn would wait for ever. */
    @Test
    void twoDevicesOfOneWorkerRunAtTheSameTime() throws InterruptedException {
        CyclicBarrier both = new CyclicBarrier(2);
        FakeDevice first = new FakeDevice("simulated:h200", both);
        FakeDevice second = new FakeDevice("simulated:b200", both);
        List<Lease> leases = offer(4 * DEPTH);
        first.permits.release(100);
        second.permits.release(100);
        start(FakeApi.TOKEN, List.of(first, second));

        // With an odd number left at the end, one device waits for the other in vain.
        api.await(() -> api.reports().size() >= 2 * DEPTH);

        assertThat(first.runs.get()).isGreaterThanOrEqualTo(DEPTH);
        assertThat(second.runs.get()).isGreaterThanOrEqualTo(DEPTH);
        assertThat(leases.stream().map(Lease::leaseId))
                .containsAll(api.reports().keySet());
        both.reset();
        first.close();
        second.close();
    }

    @Test
    void theDeviceHearsWhichTrialComesNext() throws InterruptedException {
        List<Lease> leases = offer(8);
        start(FakeApi.TOKEN);
        for (int done = 1; done <= 8; done++) {
            int wanted = done;
            device.permits.release();
            api.await(() -> api.reports().size() == wanted);
        }

        // What comes next is known where its kernel was made in time, and then it is the lease that follows.
        List<Config> order = leases.stream()
                .map(lease -> ((Work.Screen) lease.work()).config())
                .toList();
        assertThat(device.next).hasSize(8).last().isEqualTo(Optional.empty());
        for (int run = 0; run < 7; run++) {
            Config following = order.get(run + 1);
            assertThat(device.next.get(run))
                    .map(PreparedTrial::config)
                    .matches(config -> config.isEmpty() || config.get().equals(following));
        }
    }

    @Test
    void keepsReportsWhileTheApiIsAway() throws InterruptedException {
        offer(3);
        start(FakeApi.TOKEN);
        api.await(() -> api.requests().contains("/api/v1/leases"));
        api.failNext(25);
        device.permits.release(100);

        api.await(() -> api.reports().size() == 3);

        assertThat(device.runs).hasValue(3);
    }

    @Test
    void registersAgainWhenItIsForgotten() throws InterruptedException {
        start(FakeApi.TOKEN);
        api.await(() -> api.requests().contains("/api/v1/leases"));
        api.forgetWorkers();
        device.permits.release(100);
        offer(2);

        api.await(() -> api.reports().size() == 2);

        assertThat(api.requests().stream().filter("/api/v1/workers"::equals)).hasSizeGreaterThanOrEqualTo(2);
    }

    @Test
    void dropsAReportThatIsStaleAndGoesOn() throws InterruptedException {
        List<Lease> leases = offer(3);
        api.takeAway(leases.getFirst().leaseId());
        device.permits.release(100);
        start(FakeApi.TOKEN);

        api.await(() -> api.reports().size() == 2);

        assertThat(api.reports()).doesNotContainKey(leases.getFirst().leaseId());
    }

    @Test
    void doesNotRunWhatAHeartbeatStopped() throws InterruptedException {
        List<Lease> leases = offer(3);
        start(FakeApi.TOKEN);
        api.await(() -> api.keptAlive() == 3);
        api.stop(leases.get(2).leaseId());
        int heartbeats = heartbeats();
        api.await(() -> heartbeats() > heartbeats + 2);
        device.permits.release(100);

        api.await(() -> api.reports().size() == 2);

        assertThat(api.reports()).doesNotContainKey(leases.get(2).leaseId());
        assertThat(device.runs).hasValue(2);
    }

    @Test
    void endsWhatAHeartbeatStopsWhileItRunsAndGoesOn() throws InterruptedException {
        List<Lease> leases = offer(3);
        start(FakeApi.TOKEN);
        api.await(() -> api.keptAlive() == 3 && !device.next.isEmpty());
        // Nobody lets it run: it goes on to the second only if it is told that the first is wanted no more.
        api.stop(leases.getFirst().leaseId());
        api.await(() -> api.keptAlive() == 2);
        device.permits.release(2);

        api.await(() -> api.reports().size() == 2);

        assertThat(api.reports()).doesNotContainKey(leases.getFirst().leaseId());
        assertThat(device.runs).hasValue(2);
    }

    @Test
    void whileAnotherProcessMeasuresOnItsGpuItKeepsItsLeasesAndWaits() throws Exception {
        device.uuid = Optional.of("GPU-" + UUID.randomUUID());
        device.permits.release(100);
        List<Lease> leases = offer(3);
        GpuTurn other = GpuTurn.take(device.uuid.get(), () -> {});
        start(FakeApi.TOKEN);
        api.await(() -> api.keptAlive() == 3);
        int heartbeats = heartbeats();
        api.await(() -> heartbeats() > heartbeats + 5);
        assertThat(device.runs).hasValue(0);
        // What was ended meanwhile is not run.
        api.stop(leases.getFirst().leaseId());
        api.await(() -> api.keptAlive() == 2);
        other.close();

        api.await(() -> api.reports().size() == 2);

        assertThat(device.runs).hasValue(2);
        Files.delete(GPUS.resolve(device.uuid.get() + ".turn"));
        Files.delete(GPUS.resolve(device.uuid.get() + ".next"));
    }

    /** A runner goes on to what it was told comes next, so nothing comes next where somebody waits. */
    @Test
    void whoWaitsForItsGpuHasItBehindThePieceOfWorkAtHand() throws Exception {
        device.uuid = Optional.of("GPU-" + UUID.randomUUID());
        offer(3);
        start(FakeApi.TOKEN);
        api.await(() -> api.keptAlive() == 3 && !device.next.isEmpty());
        CompletableFuture<GpuTurn> other = CompletableFuture.supplyAsync(this::turn);
        api.await(this::isWanted);
        assertThat(other).isNotDone();
        // The first was begun before anybody waited: the second may be queued. Nothing is queued behind that one.
        device.permits.release(2);
        GpuTurn had = other.get();
        assertThat(device.next.getLast()).isEmpty();
        assertThat(device.runs.get()).isBetween(1, 2);
        had.close();
        device.permits.release(100);

        api.await(() -> api.reports().size() == 3);

        assertThat(device.runs).hasValue(3);
        Files.delete(GPUS.resolve(device.uuid.get() + ".turn"));
        Files.delete(GPUS.resolve(device.uuid.get() + ".next"));
    }

    /** Whether somebody who waits has locked the file of whoever is next. */
    private boolean isWanted() {
        try (FileChannel next =
                FileChannel.open(GPUS.resolve(device.uuid.orElseThrow() + ".next"), StandardOpenOption.WRITE)) {
            next.lock();
            return false;
        } catch (OverlappingFileLockException locked) {
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    private GpuTurn turn() {
        try {
            return GpuTurn.take(device.uuid.orElseThrow(), () -> {});
        } catch (InterruptedException stopped) {
            throw new IllegalStateException(stopped);
        }
    }

    /** A worker that died now would have run nothing: the attempt does not count. */
    @Test
    void beginsNothingBeforeTheApiHasHeardThatTheGrantArrived() throws InterruptedException {
        List<Lease> leases = offer(3);
        device.permits.release(100);
        api.beDeaf(true);
        start(FakeApi.TOKEN);
        api.await(() -> api.requests().contains("/api/v1/leases"));
        int heartbeats = heartbeats();
        api.await(() -> heartbeats() > heartbeats + 5);
        assertThat(device.runs).hasValue(0);
        assertThat(api.reports()).isEmpty();
        // What was given to somebody else meanwhile is left alone.
        api.stop(leases.get(1).leaseId());
        api.beDeaf(false);

        api.await(() -> api.reports().size() == 2);

        assertThat(device.runs).hasValue(2);
        assertThat(api.reports()).doesNotContainKey(leases.get(1).leaseId());
        // Its room is free again.
        offer(3);
        api.await(() -> api.reports().size() == 5);
    }

    /** What a health check looks at: its age tells for how long nobody has answered. */
    @Test
    void theFileOfHeartbeatsIsAsOldAsTheLastThatWasAnswered() throws Exception {
        api.beDeaf(true);
        start(FakeApi.TOKEN);
        api.await(() -> heartbeats() > 3);
        assertThat(heartbeat()).doesNotExist();

        api.beDeaf(false);
        int unanswered = heartbeats();
        api.await(() -> heartbeats() > unanswered + 2);
        assertThat(heartbeat()).exists();
        // As one of which nobody has heard for an hour.
        FileTime hourAgo =
                FileTime.from(Instant.now().minus(Duration.ofHours(1)).truncatedTo(ChronoUnit.SECONDS));
        api.beDeaf(true);
        int answered = heartbeats();
        api.await(() -> heartbeats() > answered + 1);
        Files.setLastModifiedTime(heartbeat(), hourAgo);
        int deaf = heartbeats();
        api.await(() -> heartbeats() > deaf + 3);
        assertThat(Files.getLastModifiedTime(heartbeat())).isEqualTo(hourAgo);

        api.beDeaf(false);
        int again = heartbeats();
        api.await(() -> heartbeats() > again + 2);
        assertThat(Files.getLastModifiedTime(heartbeat()).toInstant())
                .isAfter(Instant.now().minus(Duration.ofMinutes(2)));
    }

    /** In a folder that is not there yet. */
    private Path heartbeat() {
        return directory.resolve("home/heartbeat");
    }

    private int heartbeats() {
        return (int)
                api.requests().stream().filter("/api/v1/heartbeats"::equals).count();
    }

    @Test
    void refusesWorkOfAnotherBuildOrSpace() throws InterruptedException {
        Config config = configs(1).getFirst();
        Lease otherBuild = lease("build-2", SPACE.hash(), config);
        Lease otherSpace = lease(BUILD, "0000", config);
        api.offer(otherBuild);
        api.offer(otherSpace);
        start(FakeApi.TOKEN);

        api.await(() -> api.reports().size() == 2);

        assertThat(reason(otherBuild)).contains("build-1", "build-2");
        assertThat(reason(otherSpace)).contains(SPACE.hash(), "0000");
        assertThat(device.runs).hasValue(0);
    }

    private String reason(Lease lease) {
        return ((Report.Refused) api.reports().get(lease.leaseId())).reason();
    }

    @Test
    void saysWhichRuleAConfigBreaks() throws InterruptedException {
        Config broken = configs(1).getFirst().with("tileK", ParameterValue.of(7));
        Lease lease = lease(BUILD, SPACE.hash(), broken);
        api.offer(lease);
        start(FakeApi.TOKEN);

        api.await(() -> api.reports().size() == 1);

        TrialResult report = ((Report.Screened) api.reports().get(lease.leaseId())).result();
        assertThat(report.outcome()).isEqualTo(TrialOutcome.PRUNED);
        assertThat(report.log()).contains("tileK must be one of", "got 7");
    }

    @Test
    void givesTheLeaseBackWhenTheDeviceIsOutOfOrder() throws InterruptedException {
        device.failures = 1;
        device.permits.release(100);
        List<Lease> leases = offer(2);
        start(FakeApi.TOKEN);

        api.await(() -> api.reports().size() == 2);

        assertThat(reason(leases.get(0))).contains("fell off the bus");
        assertThat(outcome(api.reports().get(leases.get(1).leaseId()))).isEqualTo(TrialOutcome.COMPLETED);
    }

    @Test
    void givesBackWhatItHoldsWhenItStops() throws InterruptedException {
        List<Lease> leases = offer(DEPTH);
        start(FakeApi.TOKEN);
        api.await(() -> api.keptAlive() == DEPTH);

        assertThat(loop.stop()).isEqualTo("the worker stops: 0 leases were reported, 3 were given back");
        worker.join();

        assertThat(api.reports().keySet())
                .isSubsetOf(leases.stream().map(Lease::leaseId).toList());
        assertThat(IntStream.range(0, DEPTH).mapToObj(i -> reason(leases.get(i))))
                .containsOnly("worker is stopping");
        assertThat(api.batches()).extracting(List::size).containsExactly(DEPTH);
    }

    private static final String GONE = "dev/tilewright/Replaced";

    private static void dieOn(String thread) {
        if (Thread.currentThread().getName().equals(thread)) {
            throw new NoClassDefFoundError(GONE);
        }
    }

    /** A jar that is replaced in place is enough for it: the other threads would keep its leases for ever. */
    @ParameterizedTest
    @ValueSource(
            strings = {"heartbeats", "races", "reports simulated:h200", "fetch simulated:h200", "device simulated:h200"
            })
    void anErrorOfAnyThreadEndsTheWorkerWhichGivesItsLeasesBack(String thread) throws InterruptedException {
        boolean races = thread.equals("races");
        List<Lease> leases = races ? List.of(finalLease()) : offer(DEPTH);
        if (races) {
            api.offer(leases.getFirst());
        }
        device.fault = thread.startsWith("device") ? new NoClassDefFoundError(GONE) : null;
        answered = () -> dieOn(races ? thread : "");
        AtomicBoolean armed = new AtomicBoolean();
        start(FakeApi.TOKEN, List.of(device), pause -> {
            if (armed.get()) {
                dieOn(thread);
            }
            Thread.sleep(1);
        });
        if (!races) {
            api.await(() -> api.keptAlive() == DEPTH && !device.next.isEmpty());
        }
        if (thread.startsWith("reports")) {
            api.failNext(Integer.MAX_VALUE);
        }
        armed.set(true);
        device.permits.release(thread.equals("heartbeats") || races ? 0 : DEPTH);
        worker.join();
        api.failNext(0);

        assertThat(end)
                .isInstanceOf(DeadThreadException.class)
                .hasMessage("thread '" + thread + "' has died, so the worker ends: java.lang.NoClassDefFoundError: "
                        + GONE);
        assertThat(loop.stop()).startsWith("the worker stops: ").endsWith(" were given back");
        assertThat(api.reports().keySet())
                .as("reported or given back: nothing is left to expire")
                .containsExactlyInAnyOrderElementsOf(
                        leases.stream().map(Lease::leaseId).toList());
    }

    /** On a thread of a pool it is wrapped, and every other kernel would fail by it too. */
    @Test
    void anErrorOfTheProcessBehindAKernelEndsTheWorkerToo() throws InterruptedException {
        assertThat(DeadThreadException.unfit(new CompletionException(new NoClassDefFoundError(GONE))))
                .containsInstanceOf(NoClassDefFoundError.class);
        assertThat(DeadThreadException.unfit(new CompletionException(new OutOfMemoryError("heap"))))
                .containsInstanceOf(OutOfMemoryError.class);
        assertThat(DeadThreadException.unfit(new CompletionException(new StackOverflowError())))
                .as("a text that is too deep is at fault itself")
                .isEmpty();
        assertThat(DeadThreadException.unfit(new IllegalStateException("a bug")))
                .isEmpty();

        device.fault = new CompletionException(new NoClassDefFoundError(GONE));
        device.permits.release(1);
        offer(1);
        start(FakeApi.TOKEN);
        worker.join();
        assertThat(end).isInstanceOf(DeadThreadException.class).hasMessageContaining("device simulated:h200");
    }

    @Test
    void endsAtAServiceThatSpeaksAnotherProtocol() throws InterruptedException {
        api.speak(Protocol.VERSION + 1);
        start(FakeApi.TOKEN);
        worker.join();

        assertThat(end)
                .isInstanceOf(ApiRefusedException.class)
                .hasMessage("the worker speaks " + Protocol.VERSION + ", this service " + (Protocol.VERSION + 1));
    }

    @Test
    void endsWhenTheServiceHasBeenReplacedByOneOfAnotherProtocol() throws InterruptedException {
        start(FakeApi.TOKEN);
        device.permits.release(100);
        offer(1);
        api.await(() -> api.reports().size() == 1);
        api.speak(Protocol.VERSION + 1);
        worker.join();

        assertThat(end)
                .isInstanceOf(ApiRefusedException.class)
                .hasMessageContaining("this service " + (Protocol.VERSION + 1));
    }

    @Test
    void endsAtAWrongToken() throws InterruptedException {
        start("wrong");
        worker.join();

        assertThat(end).isInstanceOfSatisfying(ApiRefusedException.class, refused -> {
            assertThat(refused.isUnauthorized()).isTrue();
            assertThat(refused.getMessage()).isEqualTo("this is not the worker token");
        });
        assertThat(api.requests()).containsExactly("/api/v1/workers");
    }

    @Test
    void aCheckIsMadeOnceAndSharedThroughTheApi() throws InterruptedException {
        Config config = configs(1).getFirst();
        List<Lease> leases = IntStream.range(0, 3)
                .mapToObj(index -> lease(BUILD, SPACE.hash(), config, true))
                .toList();
        device.permits.release(100);
        start(FakeApi.TOKEN);
        for (int done = 1; done <= leases.size(); done++) {
            int wanted = done;
            // As after a restart of the service: the check is kept all the same.
            api.forgetWorkers();
            api.offer(leases.get(done - 1));
            api.await(() -> api.reports().size() == wanted);
        }

        assertThat(emulator.seen()).hasSize(1);
        assertThat(leases)
                .extracting(lease -> ((Report.Screened) api.reports().get(lease.leaseId()))
                        .result()
                        .checked())
                .containsExactly(
                        FakeEmulator.checked(Verdict.PROVED),
                        FakeEmulator.checked(Verdict.PROVED).fromCache(),
                        FakeEmulator.checked(Verdict.PROVED).fromCache());
        assertThat(api.checks()).hasSize(1);
    }

    /** Who waits for the end sees what a device is at, though no heartbeat is due yet. */
    @Test
    void runsAFinalAndSaysAtOnceThatItsRaceIsOver() throws InterruptedException {
        Lease last = finalLease();
        api.offer(last);
        start(FakeApi.TOKEN, List.of(device), pause -> {
            if (Thread.currentThread().getName().equals("heartbeats")) {
                new CountDownLatch(1).await();
            }
            Thread.sleep(1);
        });

        api.await(() -> api.raced().equals(List.of(last.leaseId())));
        device.permits.release();
        api.await(() -> api.reports().size() == 1);

        assertThat(api.reports().get(last.leaseId()))
                .isInstanceOfSatisfying(
                        Report.Finished.class,
                        report -> assertThat(report.result().log()).startsWith("2 arms\nfinal took "));
    }

    @Test
    void pausesGrowToALimit() {
        Backoff backoff = new Backoff();
        List<Duration> pauses = Stream.generate(backoff::pause).limit(8).toList();

        assertThat(pauses.getFirst()).isEqualTo(Duration.ofMillis(100));
        assertThat(pauses).isSorted();
        assertThat(pauses.getLast()).isEqualTo(Duration.ofSeconds(5));
        backoff.reset();
        assertThat(backoff.pause()).isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void sendsThreeHeartbeatsInTheLifeOfTheShortestLease() {
        LiveLeases leases = new LiveLeases();
        assertThat(leases.heartbeatPeriod()).isEqualTo(Duration.ofSeconds(5));
        leases.add(lease(BUILD, "", configs(1).getFirst()));
        assertThat(leases.heartbeatPeriod()).isEqualTo(Duration.ofMillis(300));
    }
}
