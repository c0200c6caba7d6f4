package dev.tilewright.api.range;

import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.LaunchModel;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntToDoubleFunction;

/**
 * Times of kernels at each M of a range, from times at some M. Between two of these a kernel takes what the cost model
 * says, times how far the model was off at both; so the steps of its waves are where they are. Where no model knows the
 * kernel, its time lies on the line between both, in logarithms.
 *
 * @param model of the GPU; empty if there is none
 * @param measured by config, its times by M
 */
record RangeTimes(
        RangedProblem ranged, Optional<LaunchModel> model, SortedMap<Config, TreeMap<Integer, Double>> measured) {

    /** So far off may the next measured M be, as a factor, before a kernel counts as not seen. */
    private static final double NEAR = 2;

    /** A kernel counts as so much slower where nothing was seen of it. */
    private static final double UNSEEN = 1.1;

    /**
     * From what studies timed; of two times of a kernel at one M the last counts. A kernel that is wrong at one M has
     * no time at any.
     */
    static RangeTimes of(RangedProblem ranged, Optional<LaunchModel> model, List<MeasuredRows> studies) {
        SortedMap<Config, TreeMap<Integer, Double>> measured = new TreeMap<>(Comparator.comparing(Config::canonical));
        for (MeasuredRows study : studies) {
            study.us()
                    .forEach((config, us) -> measured.computeIfAbsent(config, _ -> new TreeMap<>())
                            .put(study.m(), us));
        }
        studies.forEach(study -> measured.keySet().removeAll(study.wrong().keySet()));
        return new RangeTimes(ranged, model, measured);
    }

    /** All configs with a time, in the order of their text, which is the same in every run. */
    Set<Config> configs() {
        return measured.keySet();
    }

    /** Microseconds of a launch of a config that has a time, at each M of the range. */
    IntToDoubleFunction of(Config config) {
        TreeMap<Integer, Double> times = measured.get(config);
        TreeMap<Integer, Double> off = new TreeMap<>();
        times.forEach((m, us) -> off.put(m, StrictMath.log(us) - predicted(config, m)));
        return m -> {
            Map.Entry<Integer, Double> below = off.floorEntry(m);
            Map.Entry<Integer, Double> above = off.ceilingEntry(m);
            double seen = StrictMath.exp(predicted(config, m) + between(below, above, m));
            return isNear(below, above, m) ? seen : UNSEEN * seen;
        };
    }

    private static double between(Map.Entry<Integer, Double> below, Map.Entry<Integer, Double> above, int m) {
        if (below == null || above == null || below.getKey().equals(above.getKey())) {
            return (below == null ? above : below).getValue();
        }
        double step = StrictMath.log(above.getKey()) - StrictMath.log(below.getKey());
        double share = (StrictMath.log(m) - StrictMath.log(below.getKey())) / step;
        return below.getValue() + share * (above.getValue() - below.getValue());
    }

    private static boolean isNear(Map.Entry<Integer, Double> below, Map.Entry<Integer, Double> above, int m) {
        return below != null && m <= NEAR * below.getKey() || above != null && above.getKey() <= NEAR * m;
    }

    /** Logarithm of the microseconds that the model expects; 0 where it knows nothing. */
    private double predicted(Config config, int m) {
        if (model.isEmpty()) {
            return 0;
        }
        try {
            return StrictMath.log(model.get().settled(ranged.at(m), config).ns() / 1e3);
        } catch (IllegalArgumentException beyondTheModel) {
            return 0;
        }
    }
}
