package dev.tilewright.api.web.job;

import dev.tilewright.api.bundle.BundleService;
import dev.tilewright.api.job.JobQuery;
import dev.tilewright.api.job.JobService;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.flow.Foresight;
import dev.tilewright.api.web.WrongForm;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import jakarta.servlet.http.HttpServletResponse;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** Jobs: the list, one of them, and the form that submits one. */
@Controller
record JobPages(
        JobService jobs,
        Strategies strategies,
        WorkerService workers,
        Foresight foresight,
        Families families,
        BundleService bundles) {

    private static final int JOBS = 25;

    /** A fault in the words of the form. */
    public record FormFault(String field, String detail) {}

    @GetMapping("/")
    String list(@RequestParam(required = false) @Nullable String cursor, Model model) {
        return page(JobForm.empty(), List.of(), cursor, model);
    }

    /** The part of the list that is fetched again and again. */
    @GetMapping("/jobs/list")
    String listAlone(@RequestParam(required = false) @Nullable String cursor, Model model) {
        fill(cursor, model);
        return "jobs :: list";
    }

    @PostMapping("/jobs")
    String submit(@ModelAttribute JobForm form, Caller caller, HttpServletResponse response, Model model) {
        JobDocument job;
        try {
            job = jobs.submit(form.request(), null, caller);
        } catch (ApiProblem refused) {
            List<FormFault> faults =
                    WrongForm.faults(refused, response, ProblemType.INVALID, ProblemType.EMPTY_SPACE).stream()
                            .map(fault -> new FormFault(JobForm.field(fault.pointer()), fault.detail()))
                            .toList();
            return page(form, faults, null, model);
        }
        foresight.look();
        return "redirect:" + JobView.of(job, families).href();
    }

    @GetMapping("/jobs/{id}")
    String job(@PathVariable UUID id, Model model) {
        model.addAttribute("job", JobView.of(jobs.find(id), families));
        return "job";
    }

    @GetMapping("/jobs/{id}/studies")
    String studiesAlone(@PathVariable UUID id, Model model) {
        model.addAttribute("job", JobView.of(jobs.find(id), families));
        return "job :: studies";
    }

    /** The chart of a range of M, once its table stands. */
    @ResponseBody
    @GetMapping(path = "/jobs/{id}/ranges/{index}/chart", produces = MediaType.APPLICATION_JSON_VALUE)
    RangeChart rangeChart(@PathVariable UUID id, @PathVariable int index) {
        JobDocument job = jobs.find(id);
        List<RangeDocument> ranges = job.ranges();
        RangeDocument.Table table =
                index < 0 || index >= ranges.size() ? null : ranges.get(index).table();
        if (table == null) {
            throw ApiProblem.notFound("table of range " + index + " of job", id);
        }
        return RangeChart.of(ranges.get(index), table, RangeView.testbed(job));
    }

    @PostMapping("/jobs/{id}/cancel")
    String cancelFromPage(@PathVariable UUID id, Caller caller) {
        return "redirect:" + JobView.of(jobs.cancel(id, caller), families).href();
    }

    private String page(JobForm form, List<FormFault> faults, @Nullable String cursor, Model model) {
        fill(cursor, model);
        model.addAttribute("form", form);
        model.addAttribute("faults", faults);
        model.addAttribute("strategies", strategies.names());
        model.addAttribute("devices", devices());
        model.addAttribute("families", familyNames());
        model.addAttribute("workers", workers.alive());
        return "jobs";
    }

    private void fill(@Nullable String cursor, Model model) {
        Page<JobDocument> page = jobs.list(JobQuery.ALL, JOBS, cursor);
        List<JobView> views =
                page.items().stream().map(job -> JobView.of(job, families)).toList();
        model.addAttribute("jobs", views);
        model.addAttribute("cursor", cursor == null ? "" : cursor);
        model.addAttribute("next", page.next() == null ? "" : page.next());
        model.addAttribute("open", views.stream().anyMatch(JobView::open));
    }

    private List<String> familyNames() {
        return Stream.concat(families.all().stream().map(FamilySpace::family), bundles.families().stream())
                .toList();
    }

    /** Offered devices first. Models and the emulator may be named while no worker offers them. */
    private Set<String> devices() {
        Set<String> names = new LinkedHashSet<>();
        names.add("auto");
        names.addAll(workers.labels());
        DeviceSelector.NAMES.stream()
                .filter(name -> DeviceSelector.parse(name) instanceof DeviceSelector.OnCpu)
                .forEach(names::add);
        return names;
    }
}
