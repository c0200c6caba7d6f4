package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.worker.cli.BundleUpload;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.util.Map;

/** Keeps the bundles of a gate, and knows what earlier runs have tried. */
interface GateStore {

    /** The family that a bundle is from now on, with its version. */
    String keep(BundleUpload upload) throws ApiRefusedException, InterruptedException;

    /** The candidates of the newest finished run of a commit by their cases; none if there is no such run. */
    Map<String, GateKernel> candidates(String gate, String commit) throws ApiRefusedException, InterruptedException;
}
