package dev.tilewright.worker.gpu.peer;

import dev.tilewright.worker.gpu.cuda.CapturedLaunch;
import dev.tilewright.worker.gpu.measure.Arm;

/** The answer of a library to one of its algorithms, for the operands that it is open for. */
public sealed interface PeerAlgorithm {

    /**
     * It takes it.
     *
     * @param launch what a launch on the first operands consists of
     */
    record Taken(Arm arm, CapturedLaunch launch) implements PeerAlgorithm {}

    /** It refuses it, for the problem or at all. */
    record Refused(String reason) implements PeerAlgorithm {}
}
