package dev.tilewright.worker.cli.gate;

import dev.tilewright.gate.document.GateCandidate;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.worker.cli.BundleUpload;
import dev.tilewright.worker.cli.Connection;
import dev.tilewright.worker.link.client.ApiRefusedException;
import java.util.HashMap;
import java.util.Map;

/** The store of a service. */
record ServiceStore(Connection connection) implements GateStore {

    @Override
    public String keep(BundleUpload upload) throws ApiRefusedException, InterruptedException {
        return upload.send(connection).family();
    }

    @Override
    public Map<String, GateKernel> candidates(String gate, String commit)
            throws ApiRefusedException, InterruptedException {
        Map<String, GateKernel> stored = new HashMap<>();
        try {
            String path = "/api/v1/gates/" + gate + "/candidates?commit=" + commit;
            connection
                    .send(api -> api.get(path, GateCandidate.GateCandidates.class))
                    .items()
                    .forEach(candidate -> stored.put(candidate.caseName(), candidate.kernel()));
        } catch (ApiRefusedException refused) {
            if (refused.status() != 404) {
                throw refused;
            }
        }
        return stored;
    }
}
