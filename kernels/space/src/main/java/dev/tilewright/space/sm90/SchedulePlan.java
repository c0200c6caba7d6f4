package dev.tilewright.space.sm90;

import static dev.tilewright.space.gemm.GemmRules.when;
import static dev.tilewright.space.gemm.TypedRule.typed;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.gemm.GemmWords;
import dev.tilewright.space.gemm.GridSize;
import dev.tilewright.space.gemm.RingPlan;
import dev.tilewright.space.gemm.TypedRule;
import dev.tilewright.space.parameter.Key;
import dev.tilewright.space.parameter.LaunchOverlap;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.parameter.TileOrder;
import dev.tilewright.space.sm90.MultiplyPlan.Mode;
import dev.tilewright.space.text.Spelling;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The schedule of a kernel: how clusters get their tiles, and when the next launch may start. */
public record SchedulePlan(Sm90Config config) {

    static final Key<TileLocation> LOCATION = TileLocation.KEY;
    static final Key<Scheduler> SCHEDULER = Scheduler.KEY;
    static final Key<Throttle> THROTTLE = Throttle.KEY.or(Throttle.NONE);
    static final Key<LaunchOverlap> LAUNCH_OVERLAP =
            Key.named("launchOverlap", LaunchOverlap.class).or(LaunchOverlap.NONE);

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(LOCATION, SCHEDULER, THROTTLE, LAUNCH_OVERLAP);

    /** The raster group of the orders that know none. */
    static final int UNUSED_GROUP = 4;

    /** How the kernel knows where its tiles lie. */
    public TileLocation location() {
        return LOCATION.of(config.values());
    }

    /** How clusters get their tiles. */
    public Scheduler scheduler() {
        return SCHEDULER.of(config.values());
    }

    /** The event that a dynamic scheduler waits for before it asks. */
    public Throttle throttle() {
        return THROTTLE.of(config.values());
    }

    /** From when on the next launch may start. */
    public LaunchOverlap launchOverlap() {
        return LAUNCH_OVERLAP.of(config.values());
    }

    /**
     * The ring through which a dynamic scheduler hands out tiles; where no scheduler asks, a ring that is not there.
     */
    public RingPlan ring() {
        return new RingPlan(slots(), 1, throttle());
    }

    /**
     * A slot is free again when every role has read it, so one slot looks one tile ahead. More would promise tiles to
     * CTAs that are still busy. In ping-pong two tiles are under way at a time.
     */
    private int slots() {
        return scheduler().dynamic() && config.multiply().mode() == Mode.PINGPONG ? 2 : 1;
    }

    /** Bytes of the ring; 0 where no scheduler asks. */
    int ringBytes() {
        return scheduler().dynamic() ? RingPlan.bytes(slots(), throttle()) : 0;
    }

    /** A throttle and the order of a table are for several GEMMs, whose tiles may be of uneven depth. */
    static Stream<Parameter> parameters(Problem problem, DeviceLimits limits) {
        Stream<Parameter> ofAll = Stream.of(
                LOCATION.text(problem.isSingle() ? TileLocation.RASTER : TileLocation.TABLE),
                SCHEDULER.text(Scheduler.HOPPER),
                Parameter.launch("rasterOrder", "groupedM", "groupedN", "alongM", "alongN"),
                Parameter.launch("rasterGroup", 8, 16, UNUSED_GROUP),
                GridSize.parameter(problem, limits));
        Stream<Parameter> ofSeveral = problem.isSingle()
                ? Stream.empty()
                : Stream.of(THROTTLE.text(Throttle.NONE, Throttle.LOADED), TileOrder.parameter());
        // A kernel without overlap is tried in other scenarios only.
        Stream<Parameter> ofOverlap = problem.scenario().launchOverlap()
                ? Stream.of(LAUNCH_OVERLAP.text(LaunchOverlap.PROLOGUE, LaunchOverlap.LOADED))
                : Stream.empty();
        return Stream.of(ofAll, ofSeveral, ofOverlap).flatMap(each -> each);
    }

    static Stream<TypedRule<Sm90Config>> rules() {
        return Stream.of(
                typed("schedulers", SchedulePlan::schedulers, SCHEDULER),
                typed("throttles", SchedulePlan::throttles, THROTTLE));
    }

    private static Optional<String> schedulers(Sm90Config config) {
        Scheduler scheduler = config.schedule().scheduler();
        return when(
                !Scheduler.HOPPER.contains(scheduler),
                () -> "scheduler must be one of " + Scheduler.HOPPER + ", got '" + scheduler + "'");
    }

    private static Optional<String> throttles(Sm90Config config) {
        Throttle throttle = config.schedule().throttle();
        return when(
                throttle != Throttle.NONE && throttle != Throttle.LOADED,
                () -> THROTTLE.name() + " must be one of [" + Throttle.NONE + ", " + Throttle.LOADED + "], got '"
                        + throttle + "'");
    }

    /** Rules about schedules that can be built, and nobody gains by. */
    static Stream<TypedRule<Sm90Config>> worthwhile() {
        return Stream.of(
                typed("modeScheduler", SchedulePlan::modeScheduler, MultiplyPlan.MODE, SCHEDULER),
                typed("throttleUnused", SchedulePlan::throttleUnused, SCHEDULER, THROTTLE));
    }

    private static Optional<String> modeScheduler(Sm90Config config) {
        return when(
                config.multiply().mode() == Mode.PINGPONG && config.schedule().scheduler() == Scheduler.SINGLE,
                () -> "the scheduler single gives a CTA 1 tile, pingpong needs 2 to overlap");
    }

    private static Optional<String> throttleUnused(Sm90Config config) {
        SchedulePlan schedule = config.schedule();
        return when(
                !schedule.scheduler().dynamic() && schedule.throttle() != Throttle.NONE,
                () -> "the scheduler " + schedule.scheduler() + " asks nobody, so " + THROTTLE.name() + " must be "
                        + Throttle.NONE + ", got " + schedule.throttle());
    }

    static Stream<Word> words() {
        String overlap = LAUNCH_OVERLAP.name() + "=";
        return Stream.concat(
                GemmWords.schedule(),
                Stream.of(Word.unless(
                        overlap + LaunchOverlap.PROLOGUE,
                        Spelling.named(
                                "overlap-loaded",
                                overlap + LaunchOverlap.LOADED,
                                "the next launch may start when each CTA has issued its last load"),
                        Spelling.named("overlap-none", overlap + LaunchOverlap.NONE, "launches follow each other"))));
    }
}
