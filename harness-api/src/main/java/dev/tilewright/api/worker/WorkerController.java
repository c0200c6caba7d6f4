package dev.tilewright.api.worker;

import dev.tilewright.api.platform.process.LocalWorker;
import dev.tilewright.model.exchange.Protocol;
import dev.tilewright.model.exchange.WorkerRegistration;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.enums.ParameterIn;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Registration of workers. */
@RestController
@Tag(name = "workers")
@SecurityRequirement(name = "workerToken")
record WorkerController(WorkerService workers, LocalWorker local) {

    @Operation(
            summary = "Register a worker and its devices; again whenever they change",
            description =
                    "Answers the worker's own token, which it shows from then on; 403 if the id is another's, 409 if it"
                            + " speaks another protocol, which GET /api/v1/version names.",
            parameters =
                    @Parameter(
                            in = ParameterIn.HEADER,
                            name = Protocol.HEADER,
                            required = true,
                            description = "Protocol of the worker",
                            schema = @Schema(type = "integer")))
    @PostMapping("/api/v1/workers")
    WorkerRegistration.Registered register(
            @Parameter(description = "The worker's own token, if it is registered already")
                    @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false)
                    @Nullable
                    String workerToken,
            @RequestBody WorkerRegistration worker) {
        String own = workers.register(worker, workerToken);
        local.registered(worker.pid());
        return new WorkerRegistration.Registered(own);
    }
}
