package dev.tilewright.worker.gpu.measure;

import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.stats.Discards;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs blocks and keeps account of them. A block in which the GPU was slowed down by heat or a fault, in which the plug
 * gave up, or during which another process computed on the GPU, is discarded for all its arms alike, before anybody
 * looks at its times. Where nobody can say who computes, it is one during which another process came to the GPU.
 */
final class Ledger {

    private final Stage stage;
    private final Question question;
    private final Mode mode;
    private final Neighbours neighbours;
    private final int processes;
    private final List<TimedBlock> blocks = new ArrayList<>();
    private final List<Discard> discards = new ArrayList<>();
    private final List<String> notes = new ArrayList<>();
    private final int first;
    private int accepted;
    private int discarded;
    private int planned;

    /** @param first index of the first block */
    Ledger(Stopwatch stopwatch, Stage stage, Question question, Mode mode, int first) {
        this.first = first;
        this.stage = stage;
        this.question = question;
        this.mode = mode;
        this.neighbours = stopwatch.neighbours();
        // Asking takes as long as a short run: a screen, of which there are hundreds, does without.
        this.processes = stage == Stage.SCREEN ? Integer.MAX_VALUE : neighbours.count();
        atFirst().ifPresent(this::note);
    }

    /** How many processes have a context on the GPU, if it is not this one alone and nobody can say which compute. */
    Optional<String> atFirst() {
        return stage == Stage.SCREEN ? Optional.empty() : neighbours.crowd();
    }

    /** How a run of an arm within a block is made. */
    interface Timing {
        Run time(Arm arm);
    }

    /** So many more blocks are to be kept. */
    void plan(int more) {
        planned += more;
    }

    /** Whether more blocks were discarded than may be. */
    boolean isNoisy() {
        return Discards.tooMany(discarded, planned);
    }

    /** Runs one block; whether it counts. */
    boolean take(List<? extends Arm> order, Timing timing) {
        long began = neighbours.begin();
        List<TimedBlock> block = new ArrayList<>();
        List<String> reasons = new ArrayList<>();
        for (Arm arm : order) {
            try {
                Run run = timing.time(arm);
                run.slowdown().ifPresent(why -> reasons.add(why + " while " + arm.name() + " ran"));
                block.add(new TimedBlock(stage, question, mode, index(), block.size(), arm.name(), run));
            } catch (PlugGaveUpException tooSlow) {
                reasons.add(arm.name() + ": " + tooSlow.getMessage());
            }
        }
        neighbours.computing(began, stage == Stage.SCREEN).ifPresent(reasons::add);
        if (stage != Stage.SCREEN) {
            neighbours.arrivals(processes).ifPresent(reasons::add);
        }
        if (reasons.isEmpty()) {
            blocks.addAll(block);
            accepted++;
            return true;
        }
        reasons.forEach(reason -> discards.add(new Discard(stage, question, mode, index(), reason)));
        discarded++;
        return false;
    }

    private int index() {
        return first + accepted;
    }

    void note(String line) {
        notes.add(line);
    }

    /** Entries so far. */
    Timed timed() {
        return new Timed(blocks, discards, notes);
    }
}
