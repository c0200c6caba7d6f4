package dev.tilewright.api.web.trial;

import dev.tilewright.api.kernel.KernelPart;
import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.api.web.ConfigWords;
import dev.tilewright.api.web.KernelLink;
import dev.tilewright.api.web.OccupancyGroup;
import dev.tilewright.api.web.OccupancyMap;
import dev.tilewright.api.web.study.Grounds;
import dev.tilewright.api.web.study.StudyPageRepository;
import dev.tilewright.api.web.study.StudyTrial;
import dev.tilewright.api.web.study.TwinView;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.SchedulerEvidence;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseBody;

/** One trial. */
@Controller
record TrialPages(
        StudyService studies,
        StudyRepository rows,
        StudyPageRepository trials,
        StudySpaces spaces,
        KernelService kernels,
        BlockRepository blocks) {

    @GetMapping("/trials/{id}")
    String trial(@PathVariable UUID id, Model model) {
        TrialRow row = studies.trial(id);
        UUID studyId = row.studyId();
        StudyRow study = rows.find(studyId).orElseThrow(() -> ApiProblem.notFound("study", studyId));
        List<StudyTrial> all = trials.best(studyId, id);
        ConfigWords words = ConfigWords.of(
                spaces.families(),
                row.trial().family(),
                all.stream().map(StudyTrial::config).toList());
        List<StudyTrial> twins = TwinView.twins(id, all, words);
        Map<UUID, SchedulerEvidence> evidence =
                trials.evidence(twins.stream().map(StudyTrial::id).toList());
        SchedulerEvidence own = row.trial().evidence();
        if (own != null) {
            evidence.put(id, own);
        }
        TrialView view = TrialView.of(row.trial(), study, words);
        model.addAttribute("trial", view);
        model.addAttribute("blocks", blocks.of(id));
        List<TwinView> beside =
                TwinView.of(id, all, twins, Grounds.of(study.problem(), study.testbed(), words, evidence));
        model.addAttribute("twins", beside);
        model.addAttribute(
                "maps",
                new OccupancyGroup(Stream.concat(
                                Stream.ofNullable(view.map()),
                                beside.stream().flatMap(twin -> Stream.ofNullable(twin.map())))
                        .toList()));
        model.addAttribute("files", KernelLink.of(id, kernels.kept(List.of(id)).getOrDefault(id, Set.of())));
        Optional<String> text = text(id);
        model.addAttribute("ptx", text.map(FoldedText::of).orElse(null));
        return "trial";
    }

    /** The rows of the map of a trial. */
    @ResponseBody
    @GetMapping(path = "/trials/{id}/map", produces = MediaType.APPLICATION_JSON_VALUE)
    OccupancyMap map(@PathVariable UUID id) {
        TrialDocument trial = studies.trial(id).trial();
        if (trial.evidence() == null) {
            throw ApiProblem.notFound("map of trial", id);
        }
        return OccupancyMap.of(trial.evidence(), trial.config());
    }

    private Optional<String> text(UUID id) {
        try {
            return Optional.of(new String(kernels.find(id, KernelPart.PTX), StandardCharsets.UTF_8));
        } catch (ApiProblem none) {
            if (none.type() == ProblemType.NOT_FOUND) {
                return Optional.empty();
            }
            throw none;
        }
    }
}
