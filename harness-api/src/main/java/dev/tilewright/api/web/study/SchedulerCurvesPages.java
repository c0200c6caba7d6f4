package dev.tilewright.api.web.study;

import dev.tilewright.api.job.JobService;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.ranking.SchedulerPoint;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** The tile schedulers of a job over its numbers of busy SMs. */
@Controller
record SchedulerCurvesPages(JobService jobs, StudyService studies, StudyPageRepository trials, StudySpaces spaces) {

    @GetMapping("/jobs/{id}/schedulers")
    String page(@PathVariable UUID id, @RequestParam(required = false) @Nullable Integer busySms, Model model) {
        JobDocument job = job(id);
        Testbed testbed = job.studies().getFirst().testbed();
        SchedulerCurves view = curves(job);
        model.addAttribute("id", id);
        model.addAttribute("problem", quiet(job.studies().getFirst()).shapes());
        model.addAttribute("model", TestbedKind.SIMULATED.isOf(testbed) ? Figures.model(testbed) : null);
        model.addAttribute("view", view);
        model.addAttribute(
                "chosen",
                SchedulerMaps.at(view.crossings(), busySms)
                        .map(point -> SchedulerMaps.of(point, words(job, point)))
                        .orElse(null));
        return "busy-sms";
    }

    @ResponseBody
    @GetMapping(path = "/jobs/{id}/schedulers/chart", produces = MediaType.APPLICATION_JSON_VALUE)
    SchedulerCurves chart(@PathVariable UUID id) {
        return curves(job(id));
    }

    private JobDocument job(UUID id) {
        JobDocument job = jobs.find(id);
        if (!job.differsInBusySms()) {
            throw ApiProblem.notFound("problem with several numbers of busy SMs of job", id);
        }
        return job;
    }

    private static Problem quiet(JobDocument.StudyLine study) {
        return study.problem().problem().beside(Scenario.QUIET);
    }

    private ConfigWords words(JobDocument job, SchedulerPoint point) {
        return ConfigWords.of(
                spaces.families(),
                studies.study(job.studies().getFirst().id()).family(),
                point.entries().stream().map(SchedulerPoint.Entry::config).toList());
    }

    private SchedulerCurves curves(JobDocument job) {
        List<SchedulerPoint> points = new ArrayList<>();
        Map<Integer, UUID> ids = new HashMap<>();
        boolean simulated = false;
        for (JobDocument.StudyLine line : job.studies()) {
            StudyDocument study = studies.study(line.id());
            SchedulerPoint point = point(study);
            points.add(point);
            ids.put(point.busySms(), study.id());
            simulated |= TestbedKind.SIMULATED.isOf(study.testbed());
        }
        return SchedulerCurves.of(points, ids, simulated);
    }

    private SchedulerPoint point(StudyDocument study) {
        Problem problem = study.problem().problem();
        Map<UUID, StudyTrial> all = trials
                .best(study.id(), study.best() == null ? null : study.best().id())
                .stream()
                .collect(Collectors.toMap(StudyTrial::id, Function.identity()));
        ConfigWords words = ConfigWords.of(
                spaces.families(),
                study.family(),
                all.values().stream().map(StudyTrial::config).toList());
        return SchedulerPoint.of(
                problem.scenario().busySms(),
                all.values().stream().map(StudyTrial::timed).toList(),
                (trial, stage) -> Grounds.of(problem, study.testbed(), words, trials.evidence(List.of(trial.id())))
                        .side(all.get(trial.id()), stage));
    }
}
