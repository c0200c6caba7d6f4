package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * Turns that a seed draws: a drift that all arms of a turn share, noise of each arm's own size that resembles that of
 * the turn before a little, and now and then a wild run.
 */
final class SyntheticRounds implements Rounds {

    /** Of the same-clock blocks of an H200 neighbours resemble each other by 0.00 to 0.07. */
    private static final double RESEMBLANCE = 0.07;

    private static final double DRIFT = 0.003;
    private static final double WILD_SHARE = 0.005;
    private static final double WILD = 0.03;

    private final Random random;
    private final double noisier;
    private final Map<String, Double> states = new HashMap<>();
    private final List<TimedBlock> blocks = new ArrayList<>();
    private double drift;
    private int turns;

    /** An arm with its true time and the deviation of its turns, as a logarithm. */
    record Truth(String name, double logTime, double deviation) implements Arm {

        @Override
        public int sets() {
            return 1;
        }

        @Override
        public void enqueue(int set) {
            throw new UnsupportedOperationException("nothing is launched");
        }

        @Override
        public int entriesPerLaunch() {
            return 1;
        }
    }

    /** @param noisier how many times the deviation of an arm is greater in these turns */
    SyntheticRounds(Random random, double noisier) {
        this.random = random;
        this.noisier = noisier;
    }

    @Override
    public boolean run(List<? extends Arm> arms, int more) {
        for (int turn = 0; turn < more; turn++, turns++) {
            drift += DRIFT * random.nextGaussian();
            for (int position = 0; position < arms.size(); position++) {
                if (arms.get(position) instanceof Truth truth) {
                    blocks.add(block(truth, position));
                }
            }
        }
        return true;
    }

    private TimedBlock block(Truth truth, int position) {
        double fresh = Math.sqrt(1 - RESEMBLANCE * RESEMBLANCE) * random.nextGaussian();
        double state = RESEMBLANCE * states.getOrDefault(truth.name(), random.nextGaussian()) + fresh;
        states.put(truth.name(), state);
        double wild = random.nextDouble() < WILD_SHARE ? WILD : 0;
        double ns = 1e5 * Math.exp(truth.logTime() + drift + noisier * truth.deviation() * state + wild);
        Run run = new Run(100, ns, OptionalDouble.empty(), OptionalDouble.empty(), OptionalDouble.empty(), 0);
        return new TimedBlock(Stage.FINAL, Question.STEADY_STATE, Mode.SUSTAINED, turns, position, truth.name(), run);
    }

    @Override
    public Timed timed() {
        return new Timed(blocks, List.of(), List.of());
    }

    /** Runs of arms so far. */
    int runs() {
        return blocks.size();
    }
}
