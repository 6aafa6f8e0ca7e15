//! The sheet as a form: one file that asks nothing of the network, keeps what was filled in, and gives it back as CSV.

use super::sample::CalibrationSample;

/// What the form looks like and does.
const STYLE: &str = include_str!("sheet.css");
const SCRIPT: &str = include_str!("sheet.js");

/// The form, with nothing of the judge's.
pub fn html_sheet(sample: &CalibrationSample) -> String {
    let levels: Vec<_> = sample.scale.levels.iter().enumerate().collect();
    let legend = levels.iter().map(|(score, level)| {
        format!("<li><b>{score} {}</b>: {}</li>\n", escaped(&level.name), escaped(&level.meaning))
    });
    let radio = |code: &str, score: usize, name: &str| {
        let title = escaped(name);
        format!("<label><input type=\"radio\" name=\"{code}\" value=\"{score}\"> {score} {title}</label>\n")
    };
    let item = |(index, one): (usize, &super::sample::SampledItem)| {
        let radios: String = levels.iter().map(|(score, level)| radio(&one.code, *score, &level.name)).collect();
        format!(
            "<fieldset data-item=\"{code}\">\n<legend>{number} of {all}</legend>\n<pre>{question}</pre>\n\
             <p>Look into <code>{place}</code></p>\n{radios}<label>Note <input type=\"text\"></label>\n</fieldset>\n",
            code = one.code,
            number = index + 1,
            all = sample.items.len(),
            question = escaped(&one.item.question),
            place = escaped(&one.item.place),
        )
    };
    let items = sample.items.iter().enumerate().map(item);
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; \
         script-src 'unsafe-inline'\">\n<title>Calibration sheet</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n\
         <h1>Calibration sheet</h1>\n<p class=\"instructions\">{instructions}</p>\n<ul>\n{legend}</ul>\n\
         <form data-sheet=\"{sheet}\">\n{items}</form>\n\
         <p><button type=\"button\" id=\"save\">Save as CSV</button> <span id=\"state\" role=\"status\"></span></p>\n\
         <script>\n{SCRIPT}</script>\n</body>\n</html>\n",
        instructions = escaped(&sample.scale.instructions),
        legend = legend.collect::<String>(),
        items = items.collect::<String>(),
        sheet = sample.items.first().map_or("", |one| &one.code),
    )
}

/// Text as it stands in HTML, in an attribute's quotes, too.
fn escaped(text: &str) -> String {
    let escape = |one: char| match one {
        '&' => "&amp;".to_owned(),
        '<' => "&lt;".to_owned(),
        '>' => "&gt;".to_owned(),
        '"' => "&quot;".to_owned(),
        _ => one.to_string(),
    };
    text.chars().map(escape).collect()
}
