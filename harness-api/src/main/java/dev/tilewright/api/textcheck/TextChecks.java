package dev.tilewright.api.textcheck;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.task.TaskDesk;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.GpuTask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.springframework.stereotype.Service;

/** Takes texts, and says what came of them. */
@Service
public class TextChecks {

    /** The users' name for such a task. */
    public static final String KIND = "text check";

    private static final int MOST_PTX = 400_000;
    private static final int MOST_LAUNCH = 40_000;
    private static final int MOST_ENTRY = 1_000;
    private static final int MOST_ACCEPT = 50;
    private static final int MOST_RULE = 100;

    private static final long SEED = 1;
    private static final int SEEDS = 5;
    private static final int MOST_SEEDS = 32;

    private final TaskDesk desk;

    TextChecks(TaskDesk desk) {
        this.desk = desk;
    }

    /**
     * Queues a check.
     *
     * @throws ApiProblem 422 with everything that is wrong
     */
    public TextCheckDocument submit(TextCheckRequest request, Caller caller) {
        List<Fault> faults = new ArrayList<>();
        text("/ptx", request.ptx(), MOST_PTX, faults);
        text("/launch", request.launch(), MOST_LAUNCH, faults);
        if (request.entry() != null) {
            text("/entry", request.entry(), MOST_ENTRY, faults);
        }
        int seeds = Objects.requireNonNullElse(request.seeds(), SEEDS);
        if (seeds < 1 || seeds > MOST_SEEDS) {
            faults.add(new Fault("/seeds", "must be from 1 to " + MOST_SEEDS + ", got " + seeds));
        }
        long seed = Objects.requireNonNullElse(request.seed(), SEED);
        if (seed < 0 || seed > Long.MAX_VALUE - MOST_SEEDS) {
            faults.add(new Fault("/seed", "must be from 0 to " + (Long.MAX_VALUE - MOST_SEEDS) + ", got " + seed));
        }
        List<String> accept = Objects.requireNonNullElse(request.accept(), List.of());
        if (accept.size() > MOST_ACCEPT) {
            faults.add(new Fault("/accept", "must name at most " + MOST_ACCEPT + " rules, got " + accept.size()));
        }
        for (int i = 0; i < Math.min(accept.size(), MOST_ACCEPT); i++) {
            if (accept.get(i) == null) {
                faults.add(new Fault("/accept/" + i, "must be the name of a rule, got null"));
            } else {
                text("/accept/" + i, accept.get(i), MOST_RULE, faults);
            }
        }
        ApiProblem.requireNone(faults);
        return TextCheckDocument.of(desk.submit(
                KIND,
                new DeviceSelector.Emulated(DeviceSelector.Emulated.DEFAULT_SMS),
                new GpuTask.CheckText(request.ptx(), request.launch(), request.entry(), seed, seeds, accept),
                caller));
    }

    private static void text(String pointer, String text, int most, List<Fault> faults) {
        if (text.isBlank() || text.length() > most) {
            faults.add(
                    new Fault(pointer, "must have 1 to " + most + " characters, not all blank, got " + text.length()));
        } else if (text.indexOf('\0') >= 0) {
            faults.add(new Fault(pointer, "must be text, got a character 0 at index " + text.indexOf('\0')));
        }
    }

    /** @throws ApiProblem 404 if there is none */
    public TextCheckDocument find(UUID id) {
        return TextCheckDocument.of(desk.find(KIND, id));
    }

    /**
     * Cancels a check; one that is over stays as it is.
     *
     * @throws ApiProblem 403 if somebody else asked for it, 404 if there is none
     */
    public TextCheckDocument cancel(UUID id, Caller caller) {
        return TextCheckDocument.of(desk.cancel(KIND, id, caller));
    }
}
