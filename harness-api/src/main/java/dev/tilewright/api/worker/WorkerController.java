package dev.tilewright.api.worker;

import dev.tilewright.api.platform.process.LocalWorker;
import dev.tilewright.model.exchange.WorkerRegistration;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Registration of workers. */
@RestController
@Tag(name = "workers")
@SecurityRequirement(name = "workerToken")
final class WorkerController {

    private final WorkerService workers;
    private final LocalWorker local;

    WorkerController(WorkerService workers, LocalWorker local) {
        this.workers = workers;
        this.local = local;
    }

    @Operation(summary = "Register a worker and its devices; again whenever they change")
    @PostMapping("/api/v1/workers")
    @ResponseStatus(HttpStatus.OK)
    void register(@RequestBody WorkerRegistration worker) {
        workers.register(worker);
        local.registered(worker.pid());
    }
}
