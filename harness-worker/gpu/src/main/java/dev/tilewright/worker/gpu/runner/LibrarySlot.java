package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.peer.PeerAlgorithm;
import dev.tilewright.worker.gpu.peer.PeerArms;
import dev.tilewright.worker.gpu.peer.Peers;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where the library of the study at hand stays open from trial to trial, with the launches that its trials made: many
 * algorithms of a library are one kernel, and of those that launch the same one is timed.
 */
final class LibrarySlot implements AutoCloseable {

    private final Peers peers;
    private @Nullable Held held;

    LibrarySlot(Peers peers) {
        this.peers = peers;
    }

    /** The answer to a trial of an algorithm on some data. */
    sealed interface Answer {

        /**
         * It launches the same as one that was tried on these data before.
         *
         * @param launch of both
         */
        record Same(Config first, CapturedLaunch launch) implements Answer {}
    }

    /** The same, whatever else was tried. */
    sealed interface Found extends Answer {
        /** It can be launched. */
        record Ready(LoadedAlgorithm kernel) implements Found {}

        /** The library refuses it. */
        record Refused(String reason) implements Found {}

        /** There is no library here. */
        record Absent(String reason) implements Found {}
    }

    private record Held(String family, TestData data, PeerArms arms, Map<CapturedLaunch, Config> launches) {}

    /** The algorithm of a trial, unless an earlier trial of another config launched the same. */
    Answer forTrial(Kernel.OfLibrary wanted, TestData data) {
        Found found = get(wanted, data);
        if (!(found instanceof Found.Ready(LoadedAlgorithm kernel))) {
            return found;
        }
        Config first = open(wanted.family(), data).launches().putIfAbsent(kernel.launch(), wanted.config());
        return first == null || first.equals(wanted.config()) ? found : new Answer.Same(first, kernel.launch());
    }

    /** An algorithm, whatever else launches the same. */
    Found get(Kernel.OfLibrary wanted, TestData data) {
        return switch (open(wanted.family(), data).arms()) {
            case PeerArms.Absent(String reason) -> new Found.Absent(reason);
            case PeerArms.Found found ->
                switch (found.algorithms().apply(wanted.config())) {
                    case PeerAlgorithm.Refused(String reason) ->
                        new Found.Refused(found.library() + " refuses it: " + reason);
                    case PeerAlgorithm.Taken taken ->
                        new Found.Ready(new LoadedAlgorithm(taken, found.library(), data));
                };
        };
    }

    private Held open(String family, TestData data) {
        Held known = held;
        if (known != null && known.family().equals(family) && known.data() == data) {
            return known;
        }
        close();
        Held opened = new Held(family, data, peers.arms(family, data), new HashMap<>());
        held = opened;
        return opened;
    }

    /** Closes what is open for another problem, so that its memory is free for the data of this one. */
    void leaveAllBut(Problem problem) {
        if (held != null && !held.data().problem().equals(problem.beside(Scenario.QUIET))) {
            close();
        }
    }

    @Override
    public void close() {
        if (held != null) {
            held.arms().close();
            held = null;
        }
    }
}
