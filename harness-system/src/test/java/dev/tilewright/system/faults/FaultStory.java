package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A sweep during which something happens.
 *
 * @param trials of each sweep
 * @param random draws the problem, the moment, and the process of several alike
 * @param disk on which the installation is; {@code null} if it cannot be filled
 * @param clock by which the installation lives; {@code null} if it cannot leap
 */
record FaultStory(
        Installation installation,
        int trials,
        RandomGenerator random,
        @Nullable SmallDisk disk,
        @Nullable ShiftedClock clock) {

    static final int TRIALS = 60;

    /** Each takes a run of {@code ptxas}: so many leave moments enough to be hit at. */
    static final int FEW_TRIALS = 20;

    /** None is square, and all take about the same time. */
    private static final List<String> SHAPES = List.of("""
            {"m":1000,"n":1512,"k":704}""", """
            {"m":2056,"n":776,"k":1352}""", """
            {"m":392,"n":4104,"k":520}""");

    /**
     * What came of it.
     *
     * @param at how many trials were finished when it happened
     * @param seconds from the job to its end
     * @param load of the machine then: how many threads ran or waited for a core, over the last minute
     */
    record Outcome(Fault fault, int at, double seconds, double load, SweepRecord record) {}

    /** What its processes need in their environment. */
    Map<String, String> environment() {
        return clock == null ? Map.of() : clock.environment();
    }

    /** A sweep during which nothing happens. */
    Outcome undisturbed() throws Exception {
        String job = post();
        long start = System.nanoTime();
        awaitEnd(job);
        double seconds = seconds(start);
        return new Outcome(
                new Fault.Kill(List.of()),
                0,
                seconds,
                load(),
                SweepRecord.of(installation, job, trials, new SweepRecord.Moment.Dated(Instant.now())));
    }

    /** A sweep, and a fault at a drawn moment at which some of its trials are finished and others are in flight. */
    Outcome of(Fault fault) throws Exception {
        Optional<Outcome> outcome = Optional.empty();
        while (outcome.isEmpty()) {
            outcome = attempt(fault);
        }
        System.out.println(outcome.get());
        return outcome.get();
    }

    /** Empty if the sweep was over before its victim was met, which may live for a moment only. */
    private Optional<Outcome> attempt(Fault fault) throws Exception {
        String job = post();
        long start = System.nanoTime();
        int count = random.nextInt(1, trials / 2);
        long pause = random.nextLong(500);
        int at = installation.await("the sweep to run", () -> finished(job).filter(now -> now >= count));
        Thread.sleep(pause);
        Optional<SweepRecord.Moment> begun = befall(fault, job);
        awaitEnd(job);
        double seconds = seconds(start);
        if (begun.isEmpty()) {
            return Optional.empty();
        }
        SweepRecord record = SweepRecord.of(installation, job, trials, begun.get());
        return Optional.of(new Outcome(fault, at, seconds, load(), record));
    }

    private String post() throws Exception {
        String body = """
                {"problems":[%s],"budget":{"trials":%d},"seed":%d,"device":"simulated:h200"}""".formatted(SHAPES.get(random.nextInt(SHAPES.size())), trials, random.nextInt(1 << 20));
        return installation.await(
                "a job",
                () -> Optional.of(
                        installation.post("/api/v1/jobs", body).get("id").asString()));
    }

    private Optional<Integer> finished(String job) throws IOException, InterruptedException {
        return Optional.of(installation
                .get("/api/v1/jobs/" + job)
                .get("studies")
                .get(0)
                .get("trials")
                .get("finished")
                .asInt());
    }

    private void awaitEnd(String job) throws Exception {
        installation.await("the end of the job", () -> isOver(job) ? Optional.of(true) : Optional.empty());
    }

    /** A job that failed never finishes: it ends the test at once. */
    private boolean isOver(String job) throws IOException, InterruptedException {
        JsonNode document = installation.get("/api/v1/jobs/" + job);
        String state = document.get("state").asString();
        assertThat(state).as("%s", document).isNotEqualTo("failed");
        return state.equals("finished");
    }

    private static double load() {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }

    private static double seconds(long start) {
        return (System.nanoTime() - start) / 1e9;
    }

    /** Does it, and answers when it had begun; comes back when it is over. Empty if a victim is not there any more. */
    private Optional<SweepRecord.Moment> befall(Fault fault, String job) throws Exception {
        switch (fault) {
            case Fault.Kill kill -> {
                return found(kill.victims(), job).map(this::kill).map(SweepRecord.Moment.Dated::new);
            }
            case Fault.Stop stop -> {
                Optional<ProcessHandle> stopped = found(stop.victim(), job);
                if (stopped.isEmpty() || !signal("STOP", stopped.get())) {
                    return Optional.empty();
                }
                Instant begun = Instant.now();
                Thread.sleep(stop.length());
                // Whoever waited for it may have killed it.
                signal("CONT", stopped.get());
                return Optional.of(new SweepRecord.Moment.Dated(begun));
            }
            case Fault.FullDisk full -> {
                SmallDisk small = Objects.requireNonNull(disk);
                Instant begun = Instant.now();
                small.fill();
                Thread.sleep(full.length());
                small.free();
                return Optional.of(new SweepRecord.Moment.Dated(begun));
            }
            case Fault.ClockJump jump -> {
                Optional<List<ProcessHandle>> killed = found(jump.killed(), job);
                if (killed.isEmpty()) {
                    return Optional.empty();
                }
                Objects.requireNonNull(clock).leap(jump.by());
                kill(killed.get());
                return Optional.of(SweepRecord.Moment.Met.now(installation, job));
            }
        }
    }

    private Optional<List<ProcessHandle>> found(List<Victim> victims, String job) throws Exception {
        List<ProcessHandle> all = new ArrayList<>();
        for (Victim victim : victims) {
            found(victim, job).ifPresent(all::add);
        }
        return all.size() < victims.size() ? Optional.empty() : Optional.of(all);
    }

    private Instant kill(List<ProcessHandle> killed) {
        // One of a pair may take the other with it before we do.
        killed.forEach(ProcessHandle::destroyForcibly);
        Instant begun = Instant.now();
        for (ProcessHandle process : killed) {
            assertThat(process.onExit()).as("killed").succeedsWithin(Duration.ofMinutes(2));
        }
        return begun;
    }

    /** Empty if the job is over before there is one. */
    private Optional<ProcessHandle> found(Victim victim, String job) throws Exception {
        return installation.await(victim.toString(), () -> {
            Optional<ProcessHandle> there = victim.in(installation, random);
            return there.isPresent() || isOver(job) ? Optional.of(there) : Optional.empty();
        });
    }

    /** False if the process is gone. */
    private static boolean signal(String name, ProcessHandle process) throws IOException, InterruptedException {
        Process kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        assertThat(kill.waitFor(1, TimeUnit.MINUTES)).isTrue();
        return kill.exitValue() == 0;
    }
}
