package dev.tilewright.api.web.study;

import dev.tilewright.api.job.JobService;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.study.flow.Foresight;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.Figures;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.ranking.SchedulerWorth;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseBody;

/** One study. */
@Controller
final class StudyPages {

    private static final int MOST_ROWS = 1000;

    private final StudyService studies;
    private final StudyRepository rows;
    private final StudyPageRepository trials;
    private final StudySpaces spaces;
    private final JobService jobs;
    private final Foresight foresight;

    StudyPages(
            StudyService studies,
            StudyRepository rows,
            StudyPageRepository trials,
            StudySpaces spaces,
            JobService jobs,
            Foresight foresight) {
        this.studies = studies;
        this.rows = rows;
        this.trials = trials;
        this.spaces = spaces;
        this.jobs = jobs;
        this.foresight = foresight;
    }

    @GetMapping("/studies/{id}")
    String study(@PathVariable UUID id, @RequestParam(defaultValue = "25") int top, Model model) {
        StudyDocument study = studies.study(id);
        fill(study, top, model);
        TrialSample sample = trials.sample(id);
        model.addAttribute("effects", ParameterEffects.of(sample.trials()));
        model.addAttribute("sample", sample.says());
        return "study";
    }

    /** The part that the page of a running study fetches again and again; for larger changes it is loaded anew. */
    @GetMapping("/studies/{id}/progress")
    String progress(
            @PathVariable UUID id,
            @RequestParam(defaultValue = "25") int top,
            @RequestParam String phase,
            HttpServletResponse response,
            Model model) {
        StudyView view = fill(studies.study(id), top, model);
        if (!view.phase().equals(phase)) {
            response.setHeader("HX-Refresh", "true");
        }
        return "study :: progress";
    }

    /** The content that both pages share. */
    private StudyView fill(StudyDocument study, int top, Model model) {
        if (top < 1 || top > MOST_ROWS) {
            throw ApiProblem.invalid("top", "must be from 1 to " + MOST_ROWS + ", got " + top);
        }
        List<StudyTrial> best = best(study);
        Optional<SchedulerWorth> worth = worth(study, best);
        ConfigWords words = words(study, best);
        StudyView view = StudyView.of(
                study,
                best,
                trials.ended(study.id()),
                worth.map(SchedulerWorth::lines).orElse(List.of()),
                study.best() == null ? "" : why(study, SchedulersView.chosen(best, worth), words),
                words,
                top);
        model.addAttribute("study", view);
        model.addAttribute("top", top);
        model.addAttribute("more", more(view.timed(), view.shown()));
        model.addAttribute("mostRows", MOST_ROWS);
        model.addAttribute("stage", stageWords(study.stage()));
        model.addAttribute("peers", PeerView.of(study));
        model.addAttribute(
                "searches", study.peerSearches().stream().map(PeerSearch::line).toList());
        return view;
    }

    /** Why the winner is faster than the first trial of another tile scheduler; empty if there is none. */
    private String why(StudyDocument study, List<StudyTrial> chosen, ConfigWords words) {
        if (chosen.size() < 2) {
            return "";
        }
        List<StudyTrial> two = chosen.subList(0, 2);
        return two.getFirst()
                .common(two.getLast())
                .map(stage -> grounds(study, two, words).between(two.getFirst(), two.getLast(), stage))
                .orElse("");
    }

    private Grounds grounds(StudyDocument study, List<StudyTrial> of, ConfigWords words) {
        return Grounds.of(
                study.problem().problem(),
                study.testbed(),
                words,
                trials.evidence(of.stream().map(StudyTrial::id).toList()));
    }

    /** The winner is always among them. */
    private List<StudyTrial> best(StudyDocument study) {
        return trials.best(
                study.id(), study.best() == null ? null : study.best().id());
    }

    private static String stageWords(@Nullable StudyStage stage) {
        return switch (stage) {
            case SWEEP -> "sweep";
            case RACE -> "race";
            case FINAL -> "final";
            case null -> "";
        };
    }

    /** Words for the link to all that can be shown; empty where they are. */
    static String more(int timed, int shown) {
        return shown >= Math.min(timed, MOST_ROWS)
                ? ""
                : (timed > MOST_ROWS ? "The first " + Figures.count(MOST_ROWS) + " of " : "All ") + Figures.count(timed)
                        + " timed trials";
    }

    private ConfigWords words(StudyDocument study, List<StudyTrial> all) {
        return ConfigWords.of(
                spaces.families(),
                study.family(),
                all.stream().map(StudyTrial::config).toList());
    }

    /** Data of the study's charts. */
    @GetMapping("/studies/{id}/charts")
    @ResponseBody
    StudyCharts charts(@PathVariable UUID id) {
        StudyRow study = rows.find(id).orElseThrow(() -> ApiProblem.notFound("study", id));
        TrialSample sample = trials.sample(id);
        ConfigWords words = ConfigWords.of(
                spaces.families(),
                study.options().family(),
                sample.trials().stream().map(StudyTrial::config).toList());
        return StudyCharts.of(sample, study.startedAt(), TestbedKind.SIMULATED.isOf(study.testbed()), words::brief);
    }

    @GetMapping("/studies/{id}/schedulers")
    String schedulers(@PathVariable UUID id, Model model) {
        StudyDocument study = studies.study(id);
        List<StudyTrial> all = best(study);
        ConfigWords words = words(study, all);
        Optional<SchedulerWorth> worth = worth(study, all);
        List<StudyTrial> chosen = SchedulersView.chosen(all, worth);
        Grounds grounds = grounds(study, chosen, words);
        model.addAttribute("study", study);
        model.addAttribute("problem", study.problem().toString());
        model.addAttribute("model", grounds.simulated() ? Figures.model(study.testbed()) : null);
        model.addAttribute(
                "view",
                SchedulersView.of(
                        chosen,
                        worth.map(SchedulerWorth::lines).orElse(List.of()),
                        grounds,
                        names(study, words),
                        words));
        return "schedulers";
    }

    private Optional<SchedulerWorth> worth(StudyDocument study, List<StudyTrial> all) {
        return SchedulerWorth.of(study, all.stream().map(StudyTrial::timed).toList(), spaces.families());
    }

    private static List<String> names(StudyDocument study, ConfigWords words) {
        int sms = study.testbed() == null
                ? StudySpaces.USUAL_SMS
                : study.testbed().smCount();
        return words.family().stream()
                .flatMap(family -> family.space(study.problem().problem(), DeviceLimits.of(sms)).parameters().stream())
                .filter(parameter -> parameter.name().equals(Scheduler.KEY.name()))
                .flatMap(parameter -> parameter.values().stream())
                .map(Object::toString)
                .toList();
    }

    /** The name of a job that tunes a problem once more. A grouped problem is shortened as wherever it is named. */
    static String again(Problem problem) {
        String name = "again: " + ProblemDocument.of(problem);
        return name.substring(0, Math.min(name.length(), JobService.LONGEST_NAME));
    }

    /**
     * Submits its problem once more, with what its job asked for. A study of a range has few trials and no final;
     * alone, its problem is tuned as any.
     */
    @PostMapping("/studies/{id}/again")
    String again(@PathVariable UUID id, Caller caller) {
        StudyRow study = rows.find(id).orElseThrow(() -> ApiProblem.notFound("study", id));
        JobOptions options = study.options();
        JobRequest.Builder request = options.request(study.problem()).name(again(study.problem()));
        if (study.ofRange() != null) {
            request.budget(null);
        }
        JobDocument job = jobs.submit(request.build(), null, caller);
        foresight.look();
        return "redirect:/studies/" + job.studies().getFirst().id();
    }
}
