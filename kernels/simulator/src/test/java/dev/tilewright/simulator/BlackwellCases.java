package dev.tilewright.simulator;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;

/**
 * What the literature saw on Blackwells, asked of the model. A case takes a preset and nothing else: problem and config
 * are the published ones, and a constant of its own it could not pass on. All are f16 GEMMs with f32 accumulation.
 */
final class BlackwellCases {

    /** What all have; slots for as many queries as any of them has in flight. */
    private static final String ALL = " clcStages=64 clcPrefetch=1 clcThrottle=none inputType=f16 outputType=f16"
            + " rasterOrder=groupedM rasterGroup=8 gridSize=0 epilogueN=64";

    /** Each SM of a single CTA takes 128x256 tiles, three stages, and stores a tile before it multiplies the next. */
    static final Config PLAIN = Config.parse("scheduler=static tileM=128 tileN=256 tileK=64 loadStages=3"
            + " accumulatorStages=1 ctaGroup=1 clusterM=1 clusterN=1 multicast=none" + ALL);

    /** CTA pairs with 256x256 tiles, and epilogues beside the mainloop. */
    static final Config PAIR = Config.parse("scheduler=static tileM=256 tileN=256 tileK=64 loadStages=5"
            + " accumulatorStages=2 ctaGroup=2 clusterM=2 clusterN=1 multicast=both" + ALL);

    /** Small tiles, so that 1024 x 1024 has some for every SM. */
    static final Config SMALL = Config.parse("scheduler=static tileM=128 tileN=128 tileK=64 loadStages=5"
            + " accumulatorStages=2 ctaGroup=1 clusterM=1 clusterN=1 multicast=none" + ALL);

    static final List<Integer> DEPTHS = List.of(1024, 2048, 4096, 8192, 16384, 32768);
    static final List<Integer> PREFETCHES = List.of(1, 2, 4, 8, 16, 32, 64);
    static final List<Double> ARRIVALS_US = List.of(100.0, 300.0, 500.0);
    static final List<Integer> SIDES =
            List.of(1024, 1536, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 24576, 32768, 49152);

    private static final int SEEDS = 9;
    private static final int NEWCOMER_SMS = 8;
    private static final int FREED_SMS = 5;

    private BlackwellCases() {}

    /**
     * (a) Static against CLC at 8192^3.
     *
     * @param staticTflops settled rates, of seed 1
     * @param sameClock cycles of static over those of CLC, geometric mean of seeds
     * @param settled the same of times at the clocks that the power limit leaves
     * @param withoutVariation {@code sameClock} if equal tiles take equal times
     */
    record Variation(
            double staticTflops, double clcTflops, double sameClock, double settled, double withoutVariation) {}

    static Variation variation(GpuConstants preset) {
        Simulator simulator = Simulator.of(preset);
        Problem problem = gemm("8192x8192x8192");
        Config clc = scheduler(PLAIN, "clc");
        return new Variation(
                simulator.run(problem, PLAIN, 1).tflops(),
                simulator.run(problem, clc, 1).tflops(),
                speedup(simulator, problem, clc, Conditions.USUAL, BlackwellCases::megacycles),
                speedup(simulator, problem, clc, Conditions.USUAL, SimulatedRun::timeNs),
                speedup(simulator, problem, clc, Conditions.USUAL.withoutVariation(), BlackwellCases::megacycles));
    }

    private static double speedup(
            Simulator simulator,
            Problem problem,
            Config config,
            Conditions conditions,
            ToDoubleFunction<SimulatedRun> of) {
        return StrictMath.exp(LongStream.rangeClosed(1, SEEDS)
                .mapToDouble(seed -> of.applyAsDouble(simulator.run(problem, PLAIN, conditions, seed))
                        / of.applyAsDouble(simulator.run(problem, config, conditions, seed)))
                .map(StrictMath::log)
                .average()
                .orElseThrow());
    }

    /**
     * (b) Four GEMMs of 1024 x 1024 x {1024, k, 1024, k}, TFLOP/s.
     *
     * @param clc asks for a tile when one begins
     * @param clcAfterMainloop asks when one has been multiplied
     */
    record Imbalance(int k, double single, double dealt, double clc, double clcAfterMainloop) {}

    static List<Imbalance> imbalance(GpuConstants preset) {
        Simulator simulator = Simulator.of(preset);
        return DEPTHS.stream()
                .map(k -> {
                    ProblemShape shallow = new ProblemShape(1024, 1024, 1024);
                    ProblemShape deep = new ProblemShape(1024, 1024, k);
                    Problem groups = problem(List.of(shallow, deep, shallow, deep), 0);
                    Config clc = scheduler(SMALL, "clc");
                    return new Imbalance(
                            k,
                            simulator.run(groups, scheduler(SMALL, "single"), 1).tflops(),
                            simulator.run(groups, SMALL, 1).tflops(),
                            simulator.run(groups, clc, 1).tflops(),
                            simulator
                                    .run(groups, Configs.with(clc, "clcThrottle=mainloop"), 1)
                                    .tflops());
                })
                .toList();
    }

    /** (c) Tiles of a cluster at 16384 x 16384 x 2048: how many SMs have how many, for each seed under CLC. */
    record Spread(Map<Integer, Integer> dealt, List<Map<Integer, Integer>> clc) {}

    static Spread spread(GpuConstants preset) {
        Simulator simulator = Simulator.of(preset);
        Problem problem = gemm("16384x16384x2048");
        return new Spread(
                histogram(simulator.run(problem, PAIR, 1)),
                LongStream.rangeClosed(1, SEEDS)
                        .mapToObj(seed -> histogram(simulator.run(problem, scheduler(PAIR, "clc"), seed)))
                        .toList());
    }

    private static Map<Integer, Integer> histogram(SimulatedRun run) {
        Map<Integer, Integer> sms = new TreeMap<>();
        run.evidence().tilesPerSm().forEach(tiles -> sms.merge(tiles, 1, Integer::sum));
        return sms;
    }

    /**
     * (d) The same problem with more queries in flight.
     *
     * @param megacycles mean of the seeds
     * @param spread most less fewest tiles of an SM, mean of the seeds
     */
    record Ahead(String scheduler, double megacycles, double spread) {}

    static List<Ahead> prefetch(GpuConstants preset) {
        List<Ahead> rows = new ArrayList<>();
        for (int queries : PREFETCHES) {
            rows.add(ahead(preset, "clc " + queries, Configs.with(scheduler(PAIR, "clc"), "clcPrefetch=" + queries)));
        }
        rows.add(ahead(preset, "static", PAIR));
        return rows;
    }

    private static Ahead ahead(GpuConstants preset, String name, Config config) {
        List<SimulatedRun> runs = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Simulator.of(preset).run(gemm("16384x16384x2048"), config, seed))
                .toList();
        return new Ahead(
                name,
                mean(runs, BlackwellCases::megacycles),
                mean(
                        runs,
                        run -> Collections.max(run.evidence().tilesPerSm())
                                - Collections.min(run.evidence().tilesPerSm())));
    }

    /**
     * (e) A kernel of higher priority comes during 8192^3 and wants eight SMs.
     *
     * @param begun most tiles that an SM began between its arrival and the time when it had all it wanted
     * @param lastTiles from its arrival to its last SM, in mean times from one tile of an SM to its next
     */
    record Preemption(String scheduler, double atUs, double firstUs, double lastUs, double lastTiles, int begun) {}

    static List<Preemption> preemption(GpuConstants preset) {
        List<Preemption> rows = new ArrayList<>();
        for (String scheduler : List.of("single", "static", "atomic", "clc")) {
            ARRIVALS_US.forEach(atUs -> rows.add(preemption(preset, scheduler, atUs)));
        }
        return rows;
    }

    private static Preemption preemption(GpuConstants preset, String scheduler, double atUs) {
        Conditions.Arrival arrival = new Conditions.Arrival(atUs * 1e3, NEWCOMER_SMS, Double.POSITIVE_INFINITY);
        SimulatedRun run = Simulator.of(preset)
                .run(gemm("8192x8192x8192"), scheduler(PAIR, scheduler), Conditions.USUAL.with(arrival), 1);
        List<Long> yielded = run.dynamic().yieldedNs();
        if (yielded.size() != NEWCOMER_SMS) {
            throw new IllegalStateException("the newcomer got " + yielded.size() + " of " + NEWCOMER_SMS + " SMs");
        }
        // Spans count from the first start, the newcomer from the start of the launch.
        double originNs = run.firstStartNs();
        int begun = run.spans().stream()
                .filter(span ->
                        span.startNs() + originNs >= arrival.atNs() && span.startNs() + originNs < yielded.getLast())
                .collect(Collectors.groupingBy(TileSpan::sm, Collectors.summingInt(span -> 1)))
                .values()
                .stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        double tileNs = run.timeNs() * preset.topology().smCount() / run.spans().size();
        double waitNs = yielded.getLast() - arrival.atNs();
        return new Preemption(
                scheduler, atUs, (yielded.getFirst() - arrival.atNs()) / 1e3, waitNs / 1e3, waitNs / tileNs, begun);
    }

    /**
     * (f) Five SMs are busy when 8192 x 8192 x 4096 begins and become free after 100 us.
     *
     * @param busyUs time of the launch if they stay busy
     * @param freedUs if they become free
     * @param tilesOnFreed tiles that each of them then computes
     */
    record Freed(String scheduler, double busyUs, double freedUs, List<Integer> tilesOnFreed) {}

    static List<Freed> freed(GpuConstants preset) {
        int all = preset.topology().smCount();
        return List.of(
                freed(preset, "static, grid of all SMs", Configs.with(PLAIN, "gridSize=" + all)),
                freed(preset, "static, grid of the other SMs", PLAIN),
                freed(preset, "atomic", scheduler(PLAIN, "atomic")),
                freed(preset, "single", scheduler(PLAIN, "single")),
                freed(preset, "clc", scheduler(PLAIN, "clc")));
    }

    private static Freed freed(GpuConstants preset, String name, Config config) {
        Simulator simulator = Simulator.of(preset);
        Problem busy = problem(List.of(ProblemShape.parse("8192x8192x4096")), FREED_SMS);
        SimulatedRun free = simulator.run(busy, config, Conditions.USUAL.withBusyUntil(100e3), 1);
        return new Freed(
                name,
                simulator.run(busy, config, 1).timeNs() / 1e3,
                free.timeNs() / 1e3,
                free.evidence().tilesPerSm().subList(0, FREED_SMS));
    }

    /** (g) TFLOP/s and DRAM traffic of M = N = side. */
    record Swept(int side, int k, double single, double dealt, double clc, double dealtDramGb, double clcDramGb) {}

    static List<Swept> sweep(GpuConstants preset) {
        Simulator simulator = Simulator.of(preset);
        List<Swept> rows = new ArrayList<>();
        for (int k : List.of(2048, 8192)) {
            for (int side : SIDES) {
                Problem problem = gemm(side + "x" + side + "x" + k);
                SimulatedRun dealt = simulator.run(problem, PAIR, 1);
                SimulatedRun clc = simulator.run(problem, scheduler(PAIR, "clc"), 1);
                rows.add(new Swept(
                        side,
                        k,
                        simulator.run(problem, scheduler(PAIR, "single"), 1).tflops(),
                        dealt.tflops(),
                        clc.tflops(),
                        dealt.dramBytes() / 1e9,
                        clc.dramBytes() / 1e9));
            }
        }
        return rows;
    }

    private static double mean(List<SimulatedRun> runs, ToDoubleFunction<SimulatedRun> of) {
        return runs.stream().mapToDouble(of).average().orElseThrow();
    }

    private static double megacycles(SimulatedRun run) {
        return run.timeNs() * run.clockMhz() / 1e9;
    }

    private static Config scheduler(Config config, String scheduler) {
        return Configs.with(config, "scheduler=" + scheduler);
    }

    private static Problem gemm(String shape) {
        return problem(List.of(ProblemShape.parse(shape)), 0);
    }

    private static Problem problem(List<ProblemShape> groups, int busySms) {
        return new Problem(groups, 1, OperandTypes.of(DataType.F16), OperandMajors.DEFAULT, new Scenario(busySms));
    }
}
