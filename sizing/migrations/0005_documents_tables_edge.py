from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("sizing", "0004_quality_evaluations"),
    ]

    operations = [
        migrations.AlterField(
            model_name="workload",
            name="kind",
            field=models.CharField(
                choices=[
                    ("llm_serving", "Chat, RAG, code"),
                    ("image", "Images"),
                    ("video", "Video"),
                    ("speech", "Speech"),
                    ("vision", "Vision and cameras"),
                    ("embedding", "Embedding and reranking"),
                    ("recommendation", "Recommendation"),
                    ("rag", "Answers from documents"),
                    ("tabular", "Tables, time series, sensors"),
                    ("edge", "Edge"),
                    ("models", "Several models"),
                ],
                max_length=30,
            ),
        ),
    ]
