package dev.tilewright.api.lease;

import dev.tilewright.api.testing.Api;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The protocol of the work of a job. */
abstract class JobProtocolContract extends WorkProtocolContract {

    @Override
    final String path() {
        return "/api/v1/jobs";
    }

    @Override
    final JsonNode stored(Api api, String id) {
        ObjectNode job = (ObjectNode) super.stored(api, id);
        return job.set("result", api.result(id));
    }
}
