package dev.tilewright.space.sm100;

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
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.parameter.Throttle;
import dev.tilewright.space.parameter.TileLocation;
import dev.tilewright.space.parameter.TileOrder;
import dev.tilewright.space.text.Word;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The schedule of a kernel: how clusters get their tiles, and the ring in which a dynamic scheduler hands them out. */
public record SchedulePlan(Sm100Config config) {

    static final Key<TileLocation> LOCATION = TileLocation.KEY;
    static final Key<Scheduler> SCHEDULER = Scheduler.KEY;
    static final Key<Integer> SLOTS = Key.whole("clcStages");
    static final Key<Integer> PREFETCH = Key.whole("clcPrefetch");
    static final Key<Throttle> THROTTLE = Throttle.KEY;

    /** All that decide the text. */
    static final List<Key<?>> KEYS = List.of(LOCATION, SCHEDULER, SLOTS, PREFETCH, THROTTLE);

    /** The raster group of the orders that know none. */
    static final int UNUSED_GROUP = 1;

    /** How the kernel knows where its tiles lie. */
    public TileLocation location() {
        return LOCATION.of(config.values());
    }

    /** How clusters get their tiles. */
    public Scheduler scheduler() {
        return SCHEDULER.of(config.values());
    }

    /** Slots, queries in flight and throttle of a dynamic scheduler. */
    public RingPlan ring() {
        return new RingPlan(slots(), prefetch(), throttle());
    }

    private int slots() {
        return SLOTS.of(config.values());
    }

    private int prefetch() {
        return PREFETCH.of(config.values());
    }

    private Throttle throttle() {
        return THROTTLE.of(config.values());
    }

    /** Bytes of the ring; 0 where no scheduler asks. */
    int ringBytes() {
        return scheduler().dynamic() ? RingPlan.bytes(slots(), throttle()) : 0;
    }

    /** Of several GEMMs the order of all tiles is tried, that within each is not. */
    static Stream<Parameter> parameters(Problem problem, DeviceLimits limits) {
        Stream<Parameter> ofTheText = Stream.of(
                SCHEDULER.text(Scheduler.BLACKWELL),
                SLOTS.text(1, 2, 3, 4),
                PREFETCH.text(1, 2, 3, 4).usually(1, 2),
                THROTTLE.text(Throttle.NONE, Throttle.LOAD, Throttle.MAINLOOP));
        Stream<Parameter> ofTheOrder = problem.isSingle()
                ? Stream.of(
                        Parameter.launch("rasterOrder", "groupedM", "groupedN", "alongM", "alongN"),
                        Parameter.launch("rasterGroup", 8, 4, 16, 2, UNUSED_GROUP))
                : Stream.of(
                        LOCATION.text(TileLocation.TABLE),
                        TileOrder.parameter(),
                        Parameter.launch("rasterOrder", "alongM"),
                        Parameter.launch("rasterGroup", UNUSED_GROUP));
        Parameter gridSize = GridSize.parameter(problem.scenario(), limits, GridSize.ALL_RESIDENT);
        return Stream.of(ofTheText, ofTheOrder, Stream.of(gridSize)).flatMap(each -> each);
    }

    static Stream<TypedRule<Sm100Config>> rules() {
        return Stream.of(typed("prefetchSlots", SchedulePlan::prefetchSlots, SLOTS, PREFETCH));
    }

    private static Optional<String> prefetchSlots(Sm100Config config) {
        SchedulePlan schedule = config.schedule();
        return RingPlan.refusal(schedule.slots(), schedule.prefetch());
    }

    /** Rules about schedules that can be built, and nobody gains by. */
    static Stream<TypedRule<Sm100Config>> worthwhile() {
        return Stream.of(typed("ringUnused", SchedulePlan::ringUnused, SCHEDULER, SLOTS, PREFETCH, THROTTLE));
    }

    private static Optional<String> ringUnused(Sm100Config config) {
        SchedulePlan schedule = config.schedule();
        return when(
                !schedule.scheduler().dynamic()
                        && (schedule.slots() != 1 || schedule.prefetch() != 1 || schedule.throttle() != Throttle.NONE),
                () -> "the scheduler " + schedule.scheduler()
                        + " asks nobody, so clcStages and clcPrefetch must be 1 and clcThrottle "
                        + "none, which stand for nothing, got " + schedule.slots() + ", " + schedule.prefetch()
                        + " and " + schedule.throttle());
    }

    static Stream<Word> words() {
        return Stream.concat(
                GemmWords.schedule(),
                Stream.of(
                        GemmWords.number(
                                        SLOTS.name(),
                                        1,
                                        "q#",
                                        value -> value + " tiles fit into the ring of the scheduler")
                                .ofSomeSchedulers(),
                        GemmWords.number(PREFETCH.name(), 1, "p#", value -> value + " queries for tiles are in flight")
                                .ofSomeSchedulers()));
    }
}
