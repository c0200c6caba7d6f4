package dev.tilewright.worker.gpu.peer;

import dev.tilewright.model.space.Config;
import dev.tilewright.worker.gpu.measure.Arm;

/**
 * A kernel of a peer.
 *
 * @param config which one it is, such as {@code algorithm=0}
 */
public record PeerArm(String family, Config config, Arm arm) {}
