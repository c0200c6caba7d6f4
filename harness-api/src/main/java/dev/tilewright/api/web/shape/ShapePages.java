package dev.tilewright.api.web.shape;

import dev.tilewright.api.best.BestList;
import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.web.Download;
import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;

/** The best configs by shape. */
@Controller
record ShapePages(BestList best, StudySpaces spaces, KernelService kernels) {

    @GetMapping("/shapes")
    String shapes(Model model) {
        List<BestConfig> all = best.all().items();
        model.addAttribute(
                "groups",
                ShapesView.of(
                        all,
                        spaces.families(),
                        kernels.kept(all.stream().map(BestConfig::trialId).toList())));
        return "shapes";
    }

    /** The table for a spreadsheet. */
    @GetMapping("/shapes/best.csv")
    ResponseEntity<String> csvFile() {
        return Download.of(
                "best-configs.csv",
                MediaType.parseMediaType("text/csv;charset=UTF-8"),
                BestCsv.of(best.all().items()));
    }

    /** The same document as {@code GET /api/v1/best}. */
    @GetMapping("/shapes/best.json")
    ResponseEntity<BestConfigs> jsonFile() {
        return Download.of("best-configs.json", MediaType.APPLICATION_JSON, best.all());
    }
}
