package dev.tilewright.api.gate.schedule;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.gate.document.GateSchedule;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Schedules of gates over HTTP. */
@RestController
@Tag(name = "gates")
final class ScheduleController {

    private final GateSchedules schedules;

    ScheduleController(GateSchedules schedules) {
        this.schedules = schedules;
    }

    @Operation(
            summary = "Have a gate run by itself, in place of the schedule that it had",
            description =
                    "One line says when: DAILY|03:00, FIXED_DELAY|3600s, or the five fields of a cron line; in UTC unless a"
                            + " zone is named. The request is checked now, and again each time.")
    @PutMapping("/api/v1/gates/{name}/schedule")
    GateSchedule scheduleGate(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @RequestBody GateSchedule.ScheduleRequest request,
            @Parameter(hidden = true) Caller caller) {
        return schedules.keep(name, request, caller);
    }

    @Operation(summary = "When a gate runs by itself, and what came of the last time; 404 if it does not")
    @GetMapping("/api/v1/gates/{name}/schedule")
    GateSchedule gateSchedule(@Parameter(description = "Name of the gate") @PathVariable String name) {
        return schedules.find(name);
    }

    @Operation(summary = "Delete the schedule of a gate; its runs stay")
    @DeleteMapping("/api/v1/gates/{name}/schedule")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void unscheduleGate(@Parameter(description = "Name of the gate") @PathVariable String name) {
        schedules.delete(name);
    }
}
