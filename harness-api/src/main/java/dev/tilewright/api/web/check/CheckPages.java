package dev.tilewright.api.web.check;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.textcheck.TextChecks;
import dev.tilewright.api.web.WrongForm;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.trial.TestbedKind;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;

/** A text is pasted, and its finding is read. */
@Controller
record CheckPages(TextChecks checks, WorkerService workers) {

    @GetMapping("/check")
    String form(Model model) {
        return page(CheckForm.empty(), List.of(), model);
    }

    @PostMapping("/check")
    String submitText(@ModelAttribute CheckForm form, Caller caller, HttpServletResponse response, Model model) {
        try {
            return "redirect:/check/" + checks.submit(form.request(), caller).id();
        } catch (ApiProblem refused) {
            return page(
                    form,
                    WrongForm.faults(refused, response, ProblemType.INVALID).stream()
                            .map(fault -> CheckForm.field(fault.pointer()) + ": " + fault.detail())
                            .toList(),
                    model);
        }
    }

    private String page(CheckForm form, List<String> faults, Model model) {
        model.addAttribute("form", form);
        model.addAttribute("faults", faults);
        model.addAttribute(
                "emulators",
                workers.offers().stream()
                        .map(DeviceOffer::testbed)
                        .filter(testbed -> testbed.kind() == TestbedKind.EMULATED)
                        .count());
        return "check";
    }

    @GetMapping("/check/{id}")
    String found(@PathVariable UUID id, Model model) {
        model.addAttribute("check", CheckView.of(checks.find(id)));
        return "checked";
    }

    /** The part that the page fetches until the check is over. */
    @GetMapping("/check/{id}/progress")
    String foundAlone(@PathVariable UUID id, Model model) {
        model.addAttribute("check", CheckView.of(checks.find(id)));
        return "checked :: progress";
    }

    @PostMapping("/check/{id}/cancel")
    String cancelText(@PathVariable UUID id, Caller caller) {
        return "redirect:/check/" + checks.cancel(id, caller).id();
    }
}
