package dev.tilewright.api.web.gate;

import dev.tilewright.api.gate.GateService;
import dev.tilewright.api.gate.schedule.GateSchedules;
import dev.tilewright.api.gate.waiver.Waivers;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.JsonText;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.web.WrongForm;
import dev.tilewright.gate.document.GateRun;
import jakarta.servlet.http.HttpServletResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.util.UriUtils;

/** Forms of the gate pages: cancel a run, accept a failure, make, change and end a schedule. */
@Controller
final class GateForms {

    private final GateService gates;
    private final Waivers waivers;
    private final GateSchedules schedules;
    private final GatePage page;
    private final JsonText json;

    GateForms(GateService gates, Waivers waivers, GateSchedules schedules, GatePage page, JsonText json) {
        this.gates = gates;
        this.waivers = waivers;
        this.schedules = schedules;
        this.page = page;
        this.json = json;
    }

    @PostMapping("/gate-runs/{id}/cancel")
    String cancelRun(@PathVariable UUID id, Caller caller) {
        return "redirect:/gate-runs/" + gates.cancel(id, caller).id();
    }

    @PostMapping("/gate-runs/{id}/cases/{ordinal}/waive")
    String waiveCase(
            @PathVariable UUID id,
            @PathVariable int ordinal,
            @ModelAttribute WaiverForm form,
            Caller caller,
            HttpServletResponse response,
            Model model) {
        GateRun run = gates.find(id);
        GatePage.require(id, ordinal, run.cases().size());
        try {
            waivers.waive(run.gate(), form.request(run.cases().get(ordinal)), caller);
        } catch (ApiProblem refused) {
            List<String> faults = WrongForm.faults(refused, response, ProblemType.INVALID).stream()
                    .map(fault -> WaiverForm.field(fault.pointer()) + ": " + fault.detail())
                    .toList();
            return page.fillCase(id, ordinal, form, faults, model);
        }
        return toGate(run.gate());
    }

    @PostMapping("/gates/{name}/waivers/{id}/take-back")
    String takeBackFromPage(@PathVariable String name, @PathVariable UUID id, Caller caller) {
        waivers.takeBack(name, id, caller);
        return toGate(name);
    }

    /** In place of the schedule that it had, if it had one. */
    @PostMapping("/gates/{name}/schedule")
    String scheduleFromPage(
            @PathVariable String name,
            @ModelAttribute ScheduleForm form,
            Caller caller,
            HttpServletResponse response,
            Model model) {
        try {
            schedules.keep(name, form.read(json), caller);
        } catch (ApiProblem refused) {
            List<String> faults = WrongForm.faults(refused, response, ProblemType.INVALID).stream()
                    .map(fault -> ScheduleForm.field(fault.pointer()) + ": " + fault.detail())
                    .toList();
            String view = page.fill(name, null, null, null, form, model);
            model.addAttribute("faults", faults);
            return view;
        }
        return toGate(name);
    }

    @PostMapping("/gates/{name}/schedule/end")
    String endSchedule(@PathVariable String name) {
        schedules.delete(name);
        return "redirect:/gates";
    }

    private static String toGate(String name) {
        return "redirect:/gates/" + UriUtils.encodePathSegment(name, StandardCharsets.UTF_8);
    }
}
