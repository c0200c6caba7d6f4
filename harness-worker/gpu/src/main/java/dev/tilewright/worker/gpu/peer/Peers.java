package dev.tilewright.worker.gpu.peer;

import dev.tilewright.space.family.VendorFamily;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.TestData;
import java.util.Map;

/** Source of the kernels of others. */
@FunctionalInterface
public interface Peers {

    /**
     * The arms of a family for the operands.
     *
     * @throws IllegalArgumentException if there is no such peer, naming those there are
     */
    PeerArms arms(String family, TestData data);

    /**
     * The peers of this machine.
     *
     * @param environment of the process
     */
    static Peers installed(Gpu gpu, Map<String, String> environment) {
        return (family, data) -> {
            if (!family.equals(VendorFamily.NAME)) {
                throw new IllegalArgumentException("unknown peer '" + family + "'; known: " + VendorFamily.NAME);
            }
            return CublasLtPeer.arms(gpu, data, environment);
        };
    }
}
